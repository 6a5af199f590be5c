/** Every word that the page says, in Spanish. */

import type { ErrorRecord } from "../../errors";
import type { Strings } from ".";
import { count, counted, megabytes, plural } from "./locale";

const tellStaff = "Si el problema continúa, indique al equipo docente del curso qué archivo se nombra aquí.";
const buildAgain = "Hay que volver a generar el sitio: avise al equipo docente del curso.";
const oneVersion =
  "Recargue la página. Si no basta, hay que volver a generar el sitio con una sola versión de openbook.";
const fileOf = (error: ErrorRecord): string => error.file ?? "un archivo";

const passages = { one: "fragmento", other: "fragmentos" };
const tokens = { one: "token", other: "tokens" };

export const es: Strings = {
  list: (parts) => parts.join(", "),

  ask: {
    heading: "Pregunte a los apuntes",
    lead: (lectures, chunks) =>
      `${counted(lectures, { one: "clase", other: "clases" })}, en ${counted(chunks, passages)}. La búsqueda y la respuesta se calculan en esta pestaña: su pregunta no sale de ella.`,
    label: "Su pregunta",
    placeholder: "Con sus propias palabras",
    button: "Preguntar",
    clear: "Borrar",
    keys: { focus: "para escribir", enter: "para preguntar", results: "a los resultados", escape: "para borrar" },
    contents: "Del índice",
  },

  guest: {
    label: (title) => `Preguntar a ${title}`,
    open: (title) => `Abrir en ${title}`,
    examples: "Por ejemplo",
    print: (title) => `Preguntar a ${title}:`,
  },

  guide: {
    heading: "Cinco preguntas para empezar",
    some: "Preguntas para empezar",
    lead: "Cada una muestra para qué sirve una etapa. Hágala y mire dentro.",
    step: (n, of) => `${n} de ${of}`,
    kinds: {
      identifier: "Un nombre",
      paraphrase: "Otras palabras",
      "both-searches": "Ninguna búsqueda por sí sola",
      "near-duplicate": "Dos que se parecen",
      "not-in-the-notes": "No está en los apuntes",
    },
    shows: {
      keyword: "Las palabras clave encuentran un nombre que el significado desdibuja",
      embed: "El significado lo encuentra donde las palabras son otras",
      fuse: "Dos listas juntas encuentran lo que ninguna tenía primero",
      rerank: "Palabra por palabra, el fragmento correcto sube",
      gate: "La compuerta se cierra en lugar de adivinar",
    },
    why: {
      keyword:
        "Un nombre es poco frecuente: la búsqueda por palabras clave le da mucho peso y pone su sección en primer lugar. El codificador apenas lo conoce.",
      embed:
        "La pregunta y la sección comparten pocas palabras. Como vectores apuntan en la misma dirección: busque la pregunta entre sus cinco fragmentos más cercanos.",
      fuse: "Ninguna de las listas tenía primero la sección correcta. En ambas está bien situada, y la suma de sus posiciones la lleva arriba.",
      rerank:
        "Varias secciones tratan de lo mismo. Al comparar palabra por palabra, la reordenación sube la que responde.",
      gate: "Parece de este curso, pero ningún fragmento lo responde. La mejor puntuación queda a la izquierda del umbral, así que no se inventa nada.",
    },
    look: (stage) => `Ver la etapa «${stage}»`,
    next: "Pregunta siguiente",
    end: "Terminar el recorrido",
  },

  filter: {
    label: "Buscar en una parte del curso",
    lectures: "Clase",
    allLectures: "Todas las clases",
    lecture: (number, title) => (number > 0 ? `${number} · ${title}` : title),
    weeks: "Semana",
    allWeeks: "Todas las semanas",
    week: (n) => `Semana ${n}`,
    kind: "Apuntes o diapositivas",
    allKinds: "Ambos",
    kinds: { notes: "Apuntes", slides: "Diapositivas" },
    tags: "Etiquetas",
    addTag: "Etiqueta…",
    clear: "× quitar",
    drop: "Buscar en todo el curso",
    only: (part) => `Solo se ha buscado en esta parte del curso: ${part}.`,
    none: "Ningún fragmento de esta parte del curso contiene alguna de estas palabras.",
    refused: "Nada en esta parte del curso está lo bastante cerca de su pregunta para responder a partir de ello.",
    gate: "La mejor puntuación es la de los fragmentos que el filtro deja pasar; el umbral es el de todo el curso.",
  },

  conversation: {
    searchedFor: "Se ha buscado",
    searched: (queries) => `Se ha buscado: ${queries.join(" · ")}`,
    why: "Esta pregunta se apoya en la anterior, así que se ha escrito completa.",
    edit: "Editar",
    editLabel: "Qué buscar: una consulta por línea, tres como máximo",
    search: "Buscar",
    cancel: "Cancelar",
    literal: "Preguntar tal como está escrita",
    heading: "Anteriormente en esta conversación",
    only: "Esta conversación",
    kept: "Se guarda solo en este navegador.",
    unkept: "Este navegador no guarda nada: la conversación termina con esta pestaña.",
    new: "Nueva conversación",
    markdown: "Guardar como Markdown",
    json: "Guardar como JSON",
    again: "Mostrar de nuevo esta respuesta",
    refused: "No está en los apuntes.",
    unjudged: "Encontrado solo por palabras clave; nada ha comprobado si responde.",
    writtenBy: (model) => `Escrito por ${model}`,
    dropped: (n) =>
      plural(n, {
        one: "Un registro de su última visita no se pudo leer y se ha omitido.",
        other: `${count(n)} registros de su última visita no se pudieron leer y se han omitido.`,
      }),
    cleared: "La conversación se ha borrado.",
    undo: "Recuperarla",
    facts: "Recordado",
    remember: "Recordar",
    forget: "Olvidar",
    title: "Preguntas y respuestas",
    file: "conversacion",
  },

  hops: {
    dig: "Buscar más a fondo",
    hint: "El modelo puede volver a buscar, cuatro veces como máximo, antes de responder.",
    heading: "Búsquedas del modelo",
    found: (added, time) =>
      added.length === 0 ? `Nada nuevo, ${time}` : `Se añadió ${added.map((n) => `[${n}]`).join(" ")}, ${time}`,
    ended: {
      malformed: "El modelo no respetó la forma indicada, así que la búsqueda terminó aquí.",
      "searched-out": "El modelo buscó cuatro veces y quería seguir; no hay respuesta.",
    },
  },

  readiness: {
    opening: "Abriendo el índice…",
    keyword: "La búsqueda por palabras clave está lista",
    idle: (size) => `La búsqueda por significado se carga cuando empiece a escribir (${size}, una sola vez)`,
    kept: "La búsqueda por significado se carga cuando empiece a escribir (guardada de su última visita)",
    wanted: (size) =>
      `La búsqueda por significado necesita ${size}. Su navegador pide ahorrar datos, así que espera su decisión.`,
    load: "Cargar",
    downloading: (loaded, total) => `Cargando la búsqueda por significado: ${loaded} de ${total}`,
    starting: "Iniciando la búsqueda por significado…",
    checking: "Comprobando la búsqueda por significado…",
    ready: "La búsqueda por significado está lista",
    failed: "La búsqueda por significado no está disponible; la búsqueda por palabras clave, sí.",
    retry: "Reintentar",
    progress: "Descarga del codificador",
    related: (languages: string) =>
      `La búsqueda por significado se hizo para: ${languages}. Aquí ayuda, pero sus puntuaciones dicen demasiado poco para rechazar una pregunta.`,
    foreign: (languages: string) =>
      `La búsqueda por significado solo conoce: ${languages}. La fiable es la búsqueda por palabras clave.`,
  },

  results: {
    typing: "Encontrado por palabras clave, mientras escribe",
    keyword: "Encontrado por palabras clave",
    passages: "Fragmentos",
    nearest: "Fragmentos más cercanos",
    none: "Ningún fragmento contiene alguna de estas palabras.",
    noneHint: "Pruebe con otras palabras o pulse Intro para buscar por significado.",
    count: (shown, all, time) => `${shown} de ${all}, ${time}`,
    notes: "Apuntes",
    slides: "Diapositivas",
    lecture: (number) => `Clase ${number}`,
    more: "Mostrar el fragmento completo",
    less: "Mostrar menos",
    open: (where) => `Abrir ${where}`,
    updated: (date) => `actualizado el ${date}`,
    part: (part, parts) => `parte ${part} de ${parts}`,
    foundBy: {
      both: (keyword, dense) => `palabras clave ${keyword}, significado ${dense}`,
      keyword: (rank) => `palabras clave ${rank}`,
      dense: (rank) => `significado ${rank}`,
    },
    rank: (n) => `n.º ${n}`,
  },

  answer: {
    heading: "Respuesta",
    running: "Leyendo los apuntes…",
    waiting: (loaded, total) =>
      `Los resultados por palabras clave están abajo. La respuesta llegará cuando se haya cargado la búsqueda por significado (${loaded} de ${total}).`,
    quoted: "Citado literalmente de los fragmentos. No lo ha escrito ningún modelo de lenguaje.",
    cited: (number, label) => `Fragmento ${number}: ${label}`,
    empty: "Ninguna frase de los fragmentos responde por sí sola. Lea los fragmentos.",
    refused: "No está en los apuntes",
    refusedLead: "Nada en este curso está lo bastante cerca de su pregunta para responder a partir de ello.",
    refusedWhy: {
      cosine: (score, threshold) =>
        `El fragmento más cercano tiene un coseno de ${score}; a partir de ${threshold} cuenta como encontrado.`,
      late_interaction: (score, threshold) =>
        `El mejor fragmento coincide con sus palabras con ${score}; a partir de ${threshold} cuenta como encontrado.`,
      cross_encoder: (score, threshold) =>
        `Leído junto con su pregunta, el mejor fragmento obtiene ${score}; a partir de ${threshold} cuenta como encontrado.`,
    },
    unjudged: "Encontrado solo por palabras clave",
    unjudgedLead:
      "Sin la búsqueda por significado la página no puede saber si los apuntes responden a su pregunta, así que no responde. Estos fragmentos contienen sus palabras.",
    failed: "No se ha podido responder a la pregunta",
  },

  live: {
    typed: (n) => `${counted(n, { one: "fragmento encontrado", other: "fragmentos encontrados" })} por palabras clave`,
    running: "Buscando",
    answered: (n) => `Respuesta lista, con ${counted(n, { one: "cita", other: "citas" })}`,
    refused: "No está en los apuntes. Se muestran los fragmentos más cercanos.",
    unjudged: "Se muestran los resultados por palabras clave. Sin la búsqueda por significado no hay respuesta.",
    failed: "No se ha podido responder a la pregunta.",
    copied: "Copiado",
  },

  working: {
    heading: "El desarrollo",
    lead: "Lo que ha ocurrido entre su pregunta y la respuesta. Abra un bloque para ver sus números.",
    idle: "Cada pregunta pasa por estos bloques. Haga una, y cada bloque mostrará lo que ha hecho.",
    flow: "Cuando usted pregunta",
    build: (date, time) => `Cuando se generó el sitio, a ${date}${time ? `: ${time}` : ""}`,
    total: (time, waited) =>
      waited === "" ? `${time} en esta pestaña.` : `${time} en esta pestaña, tras ${waited} de carga.`,
    show: "Mostrar el desarrollo",
    hide: "Ocultar el desarrollo",
    teaser: "cada etapa, sus números y su coste",
    export: "Exportar la traza",
    link: "Copiar un enlace",
    linked: "Enlace copiado",
    linkFailed: "Copie la dirección de esta página",
  },

  states: {
    waiting: "en espera",
    running: "en curso",
    done: "hecho",
    off: "desactivado",
    skipped: "omitido",
    failed: "con error",
  },

  stages: {
    keyword: "Palabras",
    embed: "Vector",
    dense: "Coseno",
    fuse: "Fusión",
    rerank: "Reordenar",
    gate: "Compuerta",
    prompt: "Prompt",
    answer: "Respuesta",
    generate: "Modelo",
    check: "Revisión",
  },

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
    hint: "Señale un fragmento, o recorra la lista, para ver cuál es.",
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
      `Interacción tardía: cada subpalabra de la pregunta busca la más cercana en un fragmento, y las raras cuentan más. Se hace con los ${depth} primeros de la lista fusionada, a partir de un bit por dirección.`,
    list: "Tras la reordenación",
    pieces: "Subpalabras de la pregunta",
    piece: "Subpalabra",
    weight: "Peso",
    maxSim: "palabra por palabra",
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
      "Las filas son subpalabras de la pregunta; las columnas, las del fragmento, en orden de lectura; cuanto más oscuro, más cerca. Un punto marca la más cercana de cada fila: solo esas cuentan.",
    mapOf: (place) => `Subpalabras de la pregunta frente a las de «${place}»`,
    show: "Mostrar",
    shown: "Se muestra abajo",
    nearest: "La más cercana en el fragmento",
    cosine3: "Coseno",
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
      late_interaction: "Mejor palabra por palabra",
      cross_encoder: "Mejor lectura conjunta",
    },
    margin: "Margen",
    gold: (n, answerable) =>
      `Cada marca es una de las ${n} preguntas que clasificó el equipo docente: arriba, las ${answerable} que los apuntes responden; abajo, las que no.`,
    goldSplit: (dev, test) =>
      `El umbral se eligió con ${dev} de ellas (en color intenso) y no con las otras ${test} (en color pálido).`,
    goldOutcome: (refused, passed) =>
      `Con este umbral, de las que tienen respuesta ${plural(refused, { one: "se rechaza", other: "se rechazan" })} ${count(refused)}, y de las demás ${plural(passed, { one: "pasa", other: "pasan" })} ${count(passed)}.`,
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
  generation: {
    heading: "En palabras de un modelo",
    none: "La respuesta está citada de los apuntes. No hay ningún modelo de lenguaje cargado, ni hace falta.",
    offer: "Escribir una respuesta con un modelo de lenguaje…",
    again: (label, size) => (size === "" ? `Cargar ${label} de nuevo` : `Cargar ${label} de nuevo (${size})`),
    other: "Otro modelo…",
    refused: "No se pregunta al modelo: nada en los apuntes está lo bastante cerca para responder a partir de ello.",
    unjudged: "Un modelo puede responder cuando se haya cargado la búsqueda por significado.",
    ready: (label) => `${label} está listo.`,
    write: "Escribir una respuesta",
    writeAgain: "Escribir otra vez",
    auto: "Escribir sin preguntar en mis próximas preguntas",
    stop: "Detener",
    unload: "Descargar el modelo de la memoria",
    reading: "Leyendo el prompt…",
    builtInModel: "El modelo del navegador",
    wrote: (label) => `Escrito por ${label} a partir de los fragmentos. Puede equivocarse.`,
    stopped: "Usted lo detuvo aquí.",
    cut: "Llegó a su límite de tokens y termina aquí.",
    empty: "El modelo no escribió nada.",
    notInNotes:
      "El modelo dice que los fragmentos no responden a esto. Léalos usted: puede haber pasado algo por alto.",
    figures: {
      first: (time) => `primer token tras ${time}`,
      rate: (rate) => `${rate} tokens/s`,
      answer: (n) => counted(n, { one: "token escrito", other: "tokens escritos" }),
      prompt: (read) => `leídos: ${read}`,
    },
    verdicts: {
      supported: "con respaldo",
      weak: "con respaldo débil",
      unsupported: "sin respaldo",
      uncited: "sin cita",
      "unknown-citation": "con una cita de lo que no recibió",
      "no-claim": "sin afirmación",
    },
    cutPrompt: "El prompt se acortó a lo que lee este modelo; el bloque «Modelo» lo muestra.",
    cite: (number, label) => `Fragmento ${number}: ${label}`,
    noPassage: (number) => `No hay un fragmento ${number}`,
    failed: {
      looking: "La comprobación ha fallado",
      loading: "La carga ha fallado",
      writing: "La escritura ha fallado",
    },
    retry: "Reintentar",
    live: {
      loaded: (label) => `${label} está listo`,
      writing: "El modelo está escribiendo",
      written: "El modelo ha escrito su respuesta",
    },
  },
  choice: {
    heading: "¿Qué modelo debe escribir?",
    lead: "Se ejecuta en su dispositivo y escribe solo a partir de los fragmentos. La respuesta citada se queda.",
    looking: "Comprobando qué se puede ejecutar aquí…",
    close: "Ahora no",
    advised: "recomendado",
    kinds: {
      webllm: {
        title: "En el procesador gráfico",
        note: "WebLLM. Rápido, si este dispositivo tiene WebGPU.",
      },
      wllama: {
        title: "En el procesador",
        note: "llama.cpp. Lento, pero funciona en casi todas partes.",
      },
      "built-in": {
        title: "El modelo del navegador",
        note: "El navegador lo elige y lo descarga, una sola vez para todos los sitios.",
      },
      address: {
        title: "Un programa en su ordenador",
        note: "Ollama, LM Studio, llama.cpp u otro que hable el protocolo de OpenAI. Recibe la pregunta y los fragmentos.",
      },
    },
    size: (size) => `${size} de descarga`,
    about: (size) => `unos ${size} de descarga`,
    sizeUnknown: "el navegador no dice cuánto descarga",
    sizeNone: "sin descarga",
    memory: (size) => `unos ${size} de memoria`,
    from: { site: "de este sitio", browser: "por el propio navegador" },
    fromHost: (host) => `de ${host}`,
    contacts: (host) => `Su navegador lo pide entonces a ${host}, que ve su dirección y nada de su pregunta.`,
    load: (size) => `Descargar ${size} e iniciar`,
    loadUnknown: "Dejar que el navegador lo descargue, e iniciar",
    start: "Iniciar",
    kept: "Se guarda en este dispositivo y se puede eliminar.",
    addressLabel: "Dirección",
    addressPlaceholder: "http://localhost:11434/v1",
    keyLabel: "Clave, si la pide",
    addressKept: "Ambas se quedan en este navegador.",
    list: "Ver sus modelos",
    forget: "Olvidar dirección y clave",
    noModels: "No ofrece ningún modelo.",
    loading: {
      downloading: (label) => `Descargando ${label}`,
      preparing: (label) => `Iniciando ${label}`,
      trying: (label) => `Probando ${label}`,
    },
    progress: (loaded, total) => `${loaded} de ${total}`,
    rate: (rate) => `${rate}/s`,
    left: (time) => `quedan ${time}`,
    cancel: "Cancelar",
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

  unavailable: {
    "no-wasm64":
      "A este navegador le falta lo necesario (memoria de WebAssembly de 64 bits). Chrome, Edge y Firefox la tienen.",
    "no-webgpu":
      "Este navegador no tiene WebGPU. Las versiones recientes de Chrome, Edge, Safari y Firefox lo tienen en la mayoría de los ordenadores.",
    "no-adapter":
      "Este navegador tiene WebGPU, pero no le da ningún procesador gráfico: puede estar bloqueado, desactivado o ser demasiado antiguo.",
    "small-adapter": "Los límites del procesador gráfico no alcanzan lo que necesita cualquier modelo.",
    "no-model-for-gpu": "Ninguno de los modelos ofrecidos funciona en este procesador gráfico.",
    "no-prompt-api": "Este navegador no tiene un modelo propio. Chrome y Edge lo tienen en algunos ordenadores.",
    "built-in-unavailable": "Este navegador tiene un modelo propio, pero no para este ordenador.",
    "no-model": "Este sitio no ofrece ningún modelo para ello.",
    "not-offered": "Este sitio no lo ofrece.",
  },

  storage: {
    summary: "Guardado en este dispositivo",
    heading: "Lo que este navegador guarda del curso",
    lead: "Todo está solo en este dispositivo. Lo que borre se descarga de nuevo cuando haga falta.",
    impossible:
      "Este navegador no guarda nada de este sitio: la dirección no es segura (https) o una ventana privada lo impide. Todo funciona y se descarga de nuevo en cada visita.",
    looking: "Comprobando lo guardado…",
    kinds: {
      encoder: "Búsqueda por significado",
      "cross-encoder": "Codificador cruzado",
      runtime: "Motor de los modelos de lenguaje",
      site: "Páginas e índice",
      conversation: "Sus preguntas y respuestas",
      other: "Archivos de una versión anterior",
    },
    unfinished: "Incompleto: la descarga continúa cuando se pida.",
    delete: "Borrar",
    deleteOne: (name: string) => `Borrar: ${name}`,
    deleteAll: "Borrarlo todo",
    total: (size: string) => `${size} en total`,
    usage: (used: string, quota: string) =>
      `Este servidor ocupa ${used} en este navegador, de ${quota} que puede ocupar.`,
    keep: (size: string) => `Guardar el curso entero para usarlo sin conexión (${size})`,
    keepWhy: "Todas las páginas y todo aquello con lo que se responden las preguntas.",
    keeping: "Guardando el curso",
    progress: (loaded: string, total: string) => `${loaded} de ${total}`,
    stop: "Detener",
    whole: "El curso entero está guardado: sus páginas y su búsqueda funcionan sin conexión.",
    passing: "El navegador puede borrar esto cuando falte espacio.",
    ask: "Pedirle que lo conserve",
    lasting: "El navegador ha prometido no borrar esto por su cuenta.",
    refused: "El navegador no promete nada. Lo hace con sitios instalados, en marcadores o muy visitados.",
  },

  update: {
    notice: "Los apuntes se han actualizado. Esta página todavía muestra y busca en la versión anterior.",
    reload: "Recargar",
  },

  language: {
    label: "Idioma de esta página",
    unkept: "Este navegador no guarda la elección: la página se queda en el idioma del curso.",
  },

  problems: {
    heading: "Algo va mal con los archivos de este sitio",
    retry: "Reintentar",
    reload: "Recargar la página",
  },

  errors: {
    offline: (error) => ({
      title: `No se ha podido obtener ${fileOf(error)}.`,
      next: "Compruebe la conexión y vuelva a intentarlo.",
    }),
    "http-status": (error) => ({
      title: `Falta ${fileOf(error)}: el servidor respondió ${error.found ?? "con un error"}.`,
      next: `Puede que el sitio se esté actualizando: recargue dentro de un minuto. ${tellStaff}`,
    }),
    "html-instead": (error) => ({
      title: `El servidor envió una página web en lugar de ${fileOf(error)}.`,
      next: `No se ha usado ni guardado. Lo hacen las redes que piden identificarse; identifíquese y vuelva a intentarlo. ${tellStaff}`,
    }),
    "wrong-size": (error) => ({
      title: `Ha llegado incompleto ${fileOf(error)}: ${error.found ?? "?"} de ${error.expected ?? "?"} bytes.`,
      next: `No se ha usado. Vuelva a intentarlo. ${tellStaff}`,
    }),
    stalled: (error) => ({
      title: `Ha dejado de llegar ${fileOf(error)}.`,
      next: "Compruebe la conexión y vuelva a intentarlo: lo que ha llegado se conserva y se descarga el resto.",
    }),
    "storage-full": (error) => ({
      title: `El navegador no tiene sitio: se necesitan ${megabytes(error.expected)} MB y hay ${megabytes(error.found)} MB libres.`,
      next: "Elimine lo que no necesite, aquí o en el almacenamiento de otros sitios, o elija un modelo más pequeño.",
    }),
    "wrong-hash": (error) => ({
      title: `El archivo que se generó para este curso no es este: ${fileOf(error)}.`,
      next: `Su SHA-256 no coincide, así que no se ha usado. Recargue la página. ${tellStaff}`,
    }),
    "not-listed": (error) => ({
      title: `No forma parte del índice de este sitio: ${fileOf(error)}.`,
      next: buildAgain,
    }),
    "manifest-format": (error) => ({
      title: `No se puede leer ${fileOf(error)}.`,
      next: `${buildAgain} (${error.message})`,
    }),
    "file-format": (error) => ({
      title: `No se puede leer ${fileOf(error)}.`,
      next: `${buildAgain} (${error.message})`,
    }),
    "page-outdated": () => ({
      title: "Esta página es más antigua que el índice del curso.",
      next: "El sitio acaba de actualizarse: recargue la página.",
    }),
    "schema-version": () => ({ title: "El índice y la página son de versiones distintas.", next: oneVersion }),
    "tokenizer-mismatch": () => ({
      title: "El índice se dividió en palabras de otra manera que en esta página.",
      next: oneVersion,
    }),
    "model-unsupported": (error) => ({
      title: "El codificador de este índice no puede ejecutarse aquí.",
      next: error.message,
    }),
    "gate-stale": (error) => ({
      title: "La compuerta se calibró para otro índice.",
      next: `${buildAgain} (${error.message})`,
    }),
    "encoder-start": (error) => ({
      title: "El codificador no se ha iniciado.",
      next: `Necesita WebAssembly y unos 200 MB de memoria libre: cierre otras pestañas o use otro navegador. (${error.message})`,
    }),
    "probe-mismatch": (error) => ({
      title: "El codificador calcula aquí otros vectores que cuando se generó el sitio.",
      next: `Sus resultados serían erróneos, así que la búsqueda por significado queda desactivada. Quizá otro navegador lo haga bien. (${error.message})`,
    }),
    "cross-encoder-start": (error) => ({
      title: "El codificador cruzado no se ha iniciado.",
      next: `Necesita WebAssembly y memoria libre: cierre otras pestañas o siga con la interacción tardía. (${error.message})`,
    }),
    "probe-score": (error) => ({
      title: "El codificador cruzado puntúa aquí de otro modo que cuando se generó el sitio.",
      next: `Su orden sería erróneo, así que se mantiene la interacción tardía. Quizá otro navegador lo haga bien. (${error.message})`,
    }),
    "worker-start": () => ({
      title: "Aquí solo funciona la búsqueda por palabras clave.",
      next: "El navegador rechazó el «worker» de la página, sin el cual la búsqueda por significado la bloquearía. Recargue la página o use otro navegador.",
    }),
    "engine-unavailable": (error) => ({ title: "Este modelo no puede ejecutarse aquí.", next: error.message }),
    "engine-start": (error) => ({
      title: "El modelo no se ha iniciado.",
      next: `Puede que necesite más memoria de la que hay: cierre otras pestañas o elija un modelo más pequeño. (${error.message})`,
    }),
    "engine-context": () => ({
      title: "La pregunta y sus fragmentos son más largos de lo que lee este modelo.",
      next: "Haga una pregunta más corta o elija un modelo que lea más.",
    }),
    "engine-lost": (error) => ({
      title: "El modelo se detuvo mientras trabajaba.",
      next: `Puede que el navegador necesitara su memoria. Vuelva a intentarlo, o elija un modelo más pequeño o uno que se ejecute en el procesador. (${error.message})`,
    }),
    "address-invalid": (error) =>
      error.found === "policy"
        ? {
            title: `Este sitio no permite que la página acceda a ${error.file ?? "esa dirección"}.`,
            next: "Solo se permiten direcciones de este ordenador (http://localhost o http://127.0.0.1) y las que haya añadido el equipo docente.",
          }
        : { title: "Esto no es una dirección.", next: "Escriba una como http://localhost:11434/v1." },
    "address-unreachable": (error) => ({
      title: `Nada que esta página pueda leer responde en ${error.file ?? "esa dirección"}.`,
      next: `Compruebe que el programa está en marcha y que acepta peticiones de ${globalThis.location?.origin ?? "este sitio"} (Ollama: OLLAMA_ORIGINS; LM Studio: «Enable CORS»; llama.cpp las acepta).`,
    }),
    "address-refused": (error) => ({
      title: `${error.file ?? "La dirección"} pide una clave.`,
      next: "Escriba la clave con la que se inició el programa.",
    }),
    "address-missing": (error) => ({
      title: `${error.file ?? "La dirección"} no tiene lo que se pidió.`,
      next: `Compruebe el final de la dirección (la mayoría de los programas espera /v1) y el modelo. (${error.found ?? ""})`,
    }),
    "address-status": (error) => ({
      title: `${error.file ?? "La dirección"} respondió con un error.`,
      next: error.found ?? "",
    }),
    "address-protocol": (error) => ({
      title: `${error.file ?? "La dirección"} no respondió como indica el protocolo.`,
      next: `El programa debe hablar el protocolo de OpenAI para chat completions, con streaming. (${error.found ?? ""})`,
    }),
    unexpected: (error) => ({
      title: "Ha ocurrido algo inesperado.",
      next: `Recargue la página. (${error.message})`,
    }),
  },
};
