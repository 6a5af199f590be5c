/** What the opened blocks of the working say, in Spanish: it comes with them, not with the page. */

import { count, counted, plural } from "./locale";
import type { PanelStrings } from "./panels";

const tokens = { one: "token", other: "tokens" };

export const panels: PanelStrings = {
  blurbs: {
    keyword: "mismas palabras, las raras primero",
    embed: "pregunta → vector",
    dense: "vectores más cercanos",
    fuse: "dos listas → una",
    rerank: "palabra por palabra",
    gate: "¿bastante cerca?",
    prompt: "lo que leería un modelo",
    answer: "citada, con números",
    generate: "escribe, si se le pide",
    check: "¿lo dice el fragmento?",
  },

  counts: {
    keyword: (terms, output) => `${counted(terms, { one: "término", other: "términos" })} → ${output}`,
    embed: (pieces, output) => `${counted(pieces, { one: "subpalabra", other: "subpalabras" })} → ${output}`,
    dense: (input, output) => `${input} → ${output}`,
    fuse: (input, output) => `${input} → ${output}`,
    rerank: (input, output) => `${input} → ${output}`,
    gateOpen: "abierta",
    gateClosed: "cerrada",
    prompt: (n) => counted(n, tokens),
    answer: (n) => counted(n, { one: "frase", other: "frases" }),
    generate: (prompt, answer) => `${prompt} → ${answer} tokens`,
    check: (supported, sentences) => `${supported} de ${sentences} con respaldo`,
  },

  cost: {
    heading: "Lo que ha costado",
    times: (total) => `${total} de cálculo, etapa por etapa`,
    bar: (parts) => `Tiempo por etapa: ${parts}`,
    question: "Descargado para esta pregunta",
    visit: "Descargado desde que se abrió la página",
    requests: (bytes, n) => `${bytes} en ${counted(n, { one: "petición", other: "peticiones" })}`,
    nothing: "nada: todo estaba ya aquí",
    free: (n) =>
      `nada de la red: ${counted(n, { one: "petición atendida", other: "peticiones atendidas" })} desde este dispositivo`,
    waited: "Espera hasta que se cargó el codificador",
    foreign: "Peticiones a terceros",
    sent: "Lo que envía una página que pregunta a un servidor: su pregunta, cada vez. Lo que se envía aquí: nada de ella.",
    unknown: "El tiempo de los modelos se mide en su propio bloque.",
  },

  keyword: {
    lead: (k1, b) =>
      `BM25 según las palabras de la pregunta, sobre títulos y texto (k₁ = ${k1}, b = ${b}). Una palabra rara pesa más, una repetida cada vez menos, y en un fragmento largo cada palabra cuenta menos.`,
    terms: "Palabras de la pregunta",
    term: "Palabra",
    chunks: "En fragmentos",
    idf: "Peso (idf)",
    list: "Los mejores por palabras clave",
    exact: "el propio título",
    inTitle: "título",
    none: "Ninguna de estas palabras aparece en los apuntes.",
    settings: "Mover los dos mandos",
    settingsLead:
      "k₁ indica cuándo deja de contar una palabra repetida; b, cuánto se frena un fragmento largo. El orden cambia al momento, entre los fragmentos encontrados.",
    k1: "k₁, repetición",
    b: "b, longitud",
    course: "el ajuste del curso",
    yours: "su ajuste",
    reset: "Volver al ajuste del curso",
    moved: (places) => (places > 0 ? `sube ${places}` : `baja ${-places}`),
    stays: "mismo lugar",
    reordered: (n) =>
      `${counted(n, { one: "fragmento está", other: "fragmentos están" })} en otro lugar que con el ajuste del curso`,
  },
  embed: {
    lead: "El codificador convierte la pregunta en un vector: un punto entre los puntos de todos los fragmentos. Lo que significa lo mismo queda cerca.",
    model: "Modelo",
    revision: "Revisión",
    file: "Archivo, SHA-256",
    pieces: "Subpalabras",
    dims: "Números del vector",
    pooling: "Agregación",
    probes: "Frases de control",
    probesValue: (n, least) => `${n}, coseno mínimo con el sitio generado ${least}`,
    loaded: "Cargado y comprobado en",
    waited: "La pregunta esperó",
  },
  map: {
    heading: "La pregunta entre todos los fragmentos",
    lead: (n, share) =>
      `Cada uno de los ${n} fragmentos es un punto de 384 números. Esta es su mejor vista plana: el plano que conserva la mayor parte de su varianza, ${share}. Por lo que se pierde, los cinco más cercanos, unidos por líneas, no siempre parecen los más cercanos.`,
    idle: "Haga una pregunta y aparecerá entre ellos.",
    label: (n) => `Mapa de ${n} fragmentos, un signo por cada clase; la lista que sigue dice lo mismo con palabras`,
    question: "su pregunta",
    legend: "Clases",
    nearest: "Los más cercanos a la pregunta",
    all: "Todos los fragmentos cercanos, en una lista",
    cosine: (value) => `coseno ${value}`,
    hint: "Señale un fragmento, o recorra la lista, para ver cuál es. Ctrl y la rueda, dos dedos o + y − lo acercan.",
    view: "El mapa: + y − lo acercan y lo alejan, las flechas lo mueven, 0 lo muestra entero",
    nearer: "Acercar",
    farther: "Alejar",
    whole: "Todo",
    running: "Dibujando…",
    failed: "No se ha podido cargar el mapa.",
    none: "Este índice se generó sin mapa.",
    only: "Mostrar solo esta clase",
  },
  dense: {
    spread: "Dónde están todos los cosenos",
    spreadLabel: (n, best, median) =>
      `Distribución de los cosenos de ${n} fragmentos: la mitad está por debajo de ${median}, el mejor es ${best}`,
    here: (value) => `mejor ${value}`,
    whisker: (bound) =>
      `La línea fina en el extremo de cada barra indica cuánto pueden haberlo movido los ocho bits por número: nunca más de ±${bound}.`,
    within: (n) =>
      n === 0
        ? "Aquí no hay dos vecinos más cercanos que eso: el orden es seguro."
        : plural(n, {
            one: `${n} vecino está más cerca que eso del anterior, así que su orden puede deberse al redondeo.`,
            other: `${n} vecinos están más cerca que eso del anterior, así que su orden puede deberse al redondeo.`,
          }),
    lead: (n) => `El coseno entre la pregunta y cada uno de los ${n} fragmentos, todos, de forma exacta.`,
    list: "Los más cercanos en significado",
    threshold: (value) => `compuerta en ${value}`,
  },
  fuse: {
    lead: (k) =>
      `Fusión de rangos recíprocos: un fragmento recibe 1 ÷ (${k} + su posición) de cada lista. Así, puntuaciones de distinta clase no necesitan una escala común.`,
    list: "Los mejores de ambas listas",
    keyword: "palabras clave",
    dense: "significado",
    from: (list, rank, score) => `${list} n.º ${rank}: ${score}`,
    absent: (list) => `no está en ${list}`,
    flow: "De dos listas a una",
    flowLabel: (n) =>
      `Los ${n} mejores de la lista fusionada, unidos a sus posiciones por palabras clave y por significado`,
    fused: "fusión",
  },
  rerank: {
    lead: (depth) =>
      `Interacción tardía: cada subpalabra de la pregunta busca la más cercana en un fragmento, cuyas vecinas se parezcan también a las suyas, y las raras cuentan más. Se hace con los ${depth} primeros de la lista fusionada, a partir de un bit por dirección.`,
    list: "Tras la reordenación",
    pieces: "Subpalabras de la pregunta",
    piece: "Subpalabra",
    weight: "Peso",
    maxSim: "palabras en orden",
    keyword: "palabras clave",
    cosine: "coseno",
    before: (rank) => `era el n.º ${rank}`,
    up: (places) => `sube ${places}`,
    down: (places) => `baja ${places}`,
    same: "mismo lugar",
    moves: "Qué se ha movido",
    movesLabel: (n) => `Los ${n} mejores tras la reordenación, unidos a sus posiciones anteriores`,
    beforeHead: "antes",
    afterHead: "después",
    rest: (n) =>
      plural(n, {
        one: "El otro conserva su lugar en la lista fusionada.",
        other: `Los otros ${n} conservan el orden de la lista fusionada.`,
      }),
    map: "Qué se encontró con qué",
    mapLead:
      "Las filas son subpalabras de la pregunta; las columnas, las del fragmento, en orden de lectura; cuanto más oscuro, más cerca, contando también lo cerca que están las subpalabras anterior y siguiente. Un punto marca la mejor de cada fila: solo esas cuentan.",
    mapOf: (place) => `Subpalabras de la pregunta frente a las de «${place}»`,
    show: "Mostrar",
    shown: "Se muestra abajo",
    nearest: "La más cercana en el fragmento",
    match: "Coincidencia",
    mapFailed: "No se han podido cargar los vectores de este fragmento.",
    mapRunning: "Comparando…",
    off: "No se reordena nada. El orden de la lista fusionada se queda como está.",
    by: "Reordenar con",
    modes: {
      "late-interaction": "Interacción tardía",
      "cross-encoder": "Codificador cruzado",
      off: "Nada",
    },
    crossLead: (model, depth) =>
      `Un codificador cruzado (${model}) lee la pregunta junto con cada uno de los ${depth} primeros fragmentos de la lista fusionada. Cada uno requiere una pasada por el modelo.`,
    crossSize: (bytes) => `El codificador cruzado ocupa ${bytes} y se carga una sola vez, cuando lo elija.`,
    crossKept: "El codificador cruzado está guardado de una visita anterior.",
    crossLoading: (loaded, total) => `Cargando el codificador cruzado: ${loaded} de ${total}`,
    crossStarting: "Iniciando el codificador cruzado…",
    crossReady: "El codificador cruzado está cargado.",
    crossRunning: "Leyendo los fragmentos…",
    crossTime: (ms, n) => `${counted(n, { one: "fragmento leído", other: "fragmentos leídos" })} en ${ms}.`,
    score: "puntuación",
  },
  gate: {
    wordByWord: "Mejor palabra por palabra",
    coverage: "Palabras en los apuntes",
    mixed:
      "La contestabilidad es cinco partes el mejor fragmento, palabra por palabra, y una parte cuánto de la pregunta aparece en algún lugar de los apuntes; las palabras más raras cuentan más.",
    open: "Abierta: el mejor fragmento está lo bastante cerca.",
    closed: "Cerrada: ningún fragmento está lo bastante cerca, así que no se responde nada.",
    skipped: "Sin coseno la compuerta no puede juzgar. Sigue cerrada y solo se muestran fragmentos.",
    source: {
      calibrated: "calibrado con las preguntas del propio curso al generar el sitio",
      configured: "fijado por el curso",
      default: "el predeterminado, medido con preguntas generales",
      language:
        "ninguno: el codificador no conoce el idioma del curso, así que sus puntuaciones no cierran la compuerta",
    },
    threshold: "Umbral",
    score: {
      cosine: "Mejor coseno",
      answerability: "Contestabilidad",
      cross_encoder: "Mejor lectura conjunta",
    },
    margin: "Margen",
    gold: (n, answerable) =>
      `Cada marca es una de las ${n} preguntas que clasificó el equipo docente: arriba, las ${answerable} que los apuntes responden; abajo, las que no.`,
    goldSplit: (dev, test) =>
      `El umbral se eligió con ${dev} de ellas (en color intenso) y no con las otras ${test} (en color pálido).`,
    goldOutcome: (refused, passed) =>
      `Con este umbral, de las que tienen respuesta ${plural(refused, { one: "se rechaza", other: "se rechazan" })} ${count(refused)}, y de las que no la tienen ${plural(passed, { one: "se deja pasar", other: "se dejan pasar" })} ${count(passed)}.`,
    line: (score, threshold, margin) =>
      `Recta numérica: mejor puntuación ${score}, umbral ${threshold}, margen ${margin}`,
  },
  prompt: {
    lead: "Lo que recibiría un modelo de lenguaje, palabra por palabra. No hay ninguno cargado: en su lugar se cita, y esto es lo que se puede comprobar.",
    copy: "Copiar",
    copied: "Copiado",
    copyFailed: "Seleccione el texto y cópielo",
    tokens: (used, budget) => `${used} de un máximo de ${budget} tokens.`,
    words: (n) => `Cada fragmento se recorta a ${counted(n, { one: "palabra", other: "palabras" })}.`,
    stable: (n) =>
      `Hasta la raya, ${counted(n, { one: "token", other: "tokens" })}: iguales en cada pregunta, así que un modelo los lee una sola vez.`,
    part: {
      instruction: "instrucción",
      history: "lo dicho antes",
      question: "pregunta",
      begin: "marca",
      passage: "fragmento",
      end: "marca",
    },
    dropped: {
      "below-floor": (n, share) =>
        `Se omite el fragmento ${n}: coincide un ${Math.round(100 * share)} % de lo que coincide el mejor.`,
      duplicate: (n, share, of) =>
        `Se omite el fragmento ${n}: el ${Math.round(100 * share)} % de él está en el fragmento ${of}.`,
      "no-room": (n) => `Se omite el fragmento ${n}: no hay sitio para él.`,
    },
    skipped: "Con la compuerta cerrada no se prepara ningún prompt.",
  },
  answerPanel: {
    lead: "Cada frase de los fragmentos se compara con la pregunta; se citan las mejores, cada una con su número.",
    passage: (n) => `fragmento ${n}`,
    skipped: "Con la compuerta cerrada no se responde nada.",
  },
  checkPanel: {
    idle: "Lo que escribe un modelo de lenguaje se compara con los fragmentos que cita.",
    lead: (supported, weak) =>
      `Cada frase del modelo se compara, palabra por palabra, con cada frase de los fragmentos que cita. A partir de ${supported} cuenta como respaldada; por debajo de ${weak}, como no respaldada; un número, un «no» o un opuesto que el fragmento no tiene la debilita. Se trata de palabras, no de verdad.`,
    verdict: {
      supported: "Con respaldo.",
      weak: "Con respaldo débil.",
      unsupported: "Sin respaldo.",
      uncited: "No cita nada.",
      "unknown-citation": "Cita lo que no recibió.",
      "no-claim": "No afirma nada.",
    },
    objection: {
      number: (what) => `El número ${what} no está ahí.`,
      negation: (what) => `Solo una de las dos niega «${what}».`,
      opposite: (what) => `Opuestos: ${what}.`,
      citation: (what) => `No hay un fragmento ${what}.`,
    },
    evidence: (n, text) => `Lo más cercano en el fragmento ${n}: «${text}»`,
  },
  generatePanel: {
    idle: "Un modelo de lenguaje solo escribe cuando usted lo pide, debajo de la respuesta.",
    lead: "Un modelo de lenguaje leyó el prompt y escribió esto, palabra por palabra. Puede equivocarse: cada frase se compara con el fragmento que cita.",
    engine: "Se ejecuta en",
    model: "Modelo",
    promptTokens: "Tokens del prompt",
    promptRate: "Lectura",
    firstToken: "Primer token tras",
    answerTokens: "Tokens de la respuesta",
    answerRate: "Escritura",
    rate: (value) => `${value} tokens/s`,
    finish: "Terminó",
    finished: {
      stop: "por decisión del modelo",
      length: "en su límite de tokens",
      aborted: "cuando usted lo detuvo",
    },
    text: "Lo que escribió",
    prompt: "Lo que recibió",
  },
  engines: {
    webllm: "WebLLM, en el procesador gráfico (WebGPU)",
    wllama: "llama.cpp en esta pestaña, en el procesador",
    "built-in": "El modelo del navegador",
    address: "Un programa suyo, en una dirección",
  },
  skipped: (reason) => `Omitido: ${reason}`,

  build: {
    lectures: "Clases",
    chunks: "Fragmentos",
    vectors: "Vectores",
    index: "Índice",
    pages: "Páginas",
    lecturesCount: (n) => counted(n, { one: "publicada", other: "publicadas" }),
    chunksCount: (n) => counted(n, { one: "cortado por títulos", other: "cortados por títulos" }),
    vectorsCount: (n, dims) => `${n} × ${dims}, int8`,
    pagesCount: (n) => `${n} para citar`,
    lecturesLead: (date) => `Clases publicadas hasta el ${date}. Las posteriores no se incorporan a ninguna parte.`,
    chunksLead: (limit) =>
      `Los apuntes se cortan por títulos y las presentaciones por diapositivas; nunca más de las ${limit} subpalabras que lee el codificador.`,
    vectorsLead: (name) =>
      `Cada fragmento con sus títulos, convertido en vector por ${name}; después, ocho bits por número y una escala por vector.`,
    indexLead: "Cada archivo se comprueba con su SHA-256 del manifiesto antes de usarlo.",
    pagesLead:
      "Apuntes y diapositivas como páginas, para que una cita lleve al lugar mismo. Se ha seguido cada enlace.",
    sections: "Secciones",
    words: "Palabras",
    pieces: "Subpalabras",
    truncated: "Textos cortados por el codificador",
    embedded: "Convertidos en vectores",
    embeddedValue: (now, before) => `${now} en esta generación, ${before} ya conocidos`,
    links: "Enlaces comprobados",
    file: "Archivo",
    files: "Archivos",
    bytes: "Bytes",
    total: (bytes, each) => `El índice ocupa ${bytes}: ${each} bytes por fragmento antes de comprimir.`,
  },
};
