/** Every word that the page says, in Spanish. */

import type { ErrorRecord } from "../../errors";
import type { Strings } from ".";
import { count, counted, megabytes, plural } from "./locale";

const tellStaff = "Si el problema continúa, indique al equipo docente del curso qué archivo se nombra aquí.";
const buildAgain = "Hay que volver a generar el sitio: avise al equipo docente del curso.";
const oneVersion =
  "Recargue la página. Si no basta, hay que volver a generar el sitio con una sola versión de openbook.";
const fileOf = (error: ErrorRecord): string => error.file ?? "un archivo";

const _tokens = { one: "token", other: "tokens" };

export const es: Strings = {
  list: (parts) => parts.join(", "),

  ask: {
    heading: "Pregunte a los apuntes",
    lead: (lectures) =>
      `Respuestas de los apuntes de ${counted(lectures, { one: "clase", other: "clases" })}, cada una con el lugar donde está. Se buscan en esta pestaña: su pregunta no sale de ella.`,
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
      "follow-up": "Una pregunta que sigue",
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
    followUp: {
      shows: "Se completa con lo dicho antes",
      first: "Primero una pregunta que se entiende sola; la siguiente se apoya en ella.",
      second:
        "Sola, esta pregunta dice demasiado poco. Se completó con palabras de la anterior: vea qué se buscó y qué palabras tiene la búsqueda por palabras clave.",
      ask: (question) => `Después pregunte: «${question}»`,
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
    refused: "No está en esta parte del curso",
    refusedLead: "Nada en esta parte del curso está lo bastante cerca de su pregunta para responder a partir de ello.",
    live: "No está en esta parte del curso. Se muestran los fragmentos más cercanos.",
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
    unchecked: "Nada de esto se comprobó con los apuntes.",
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
      `Los resultados por palabras clave ya están aquí. La respuesta llegará cuando se haya cargado la búsqueda por significado (${loaded} de ${total}).`,
    quoted: "Citado literalmente de los fragmentos. No lo ha escrito ningún modelo de lenguaje.",
    cited: (number, label) => `Fragmento ${number}: ${label}`,
    empty: "Ninguna frase de los fragmentos responde por sí sola. Lea los fragmentos.",
    refused: "No está en los apuntes",
    refusedLead:
      "Nada en este curso está lo bastante cerca de su pregunta para responder a partir de ello. Pregunte con otras palabras, o mire si alguno de los fragmentos más cercanos le sirve.",
    refusedWhy: {
      cosine: (score, threshold) =>
        `El fragmento más cercano tiene un coseno de ${score}; hace falta al menos ${threshold}.`,
      answerability: (score, threshold) => `Coincidencia ${score}; hace falta al menos ${threshold}.`,
      cross_encoder: (score, threshold) =>
        `Leído junto con su pregunta, el mejor fragmento obtiene ${score}; hace falta al menos ${threshold}.`,
    },
    nowhere: (words) => `En ningún lugar de los apuntes: ${words}.`,
    meant: "Quizás quiso decir:",
    word: (word) => `«${word}»`,
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
    rerank: "Reorden",
    gate: "Puerta",
    prompt: "Prompt",
    answer: "Respuesta",
    generate: "Modelo",
    check: "Revisión",
  },

  generation: {
    heading: "En palabras de un modelo",
    none: "No hay ningún modelo de lenguaje cargado, ni hace falta.",
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

  kept: "Guardado en este dispositivo",

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
