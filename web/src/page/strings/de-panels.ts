/** What the opened blocks of the working say, in German: it comes with them, not with the page. */

import { count, counted, plural } from "./locale";
import type { PanelStrings } from "./panels";

const passages = { one: "Textstelle", other: "Textstellen" };

export const panels: PanelStrings = {
  blurbs: {
    keyword: "gleiche Wörter, seltene zuerst",
    embed: "Frage → Vektor",
    dense: "nächste Vektoren",
    fuse: "zwei Listen → eine",
    rerank: "Wort für Wort",
    gate: "nah genug?",
    prompt: "was ein Modell läse",
    answer: "zitiert, mit Nummern",
    generate: "schreibt auf Wunsch",
    check: "steht es dort?",
  },

  counts: {
    keyword: (terms, output) => `${counted(terms, { one: "Begriff", other: "Begriffe" })} → ${output}`,
    embed: (pieces, output) => `${counted(pieces, { one: "Wortteil", other: "Wortteile" })} → ${output}`,
    dense: (input, output) => `${input} → ${output}`,
    fuse: (input, output) => `${input} → ${output}`,
    rerank: (input, output) => `${input} → ${output}`,
    gateOpen: "offen",
    gateClosed: "geschlossen",
    prompt: (n) => `${count(n)} Token`,
    answer: (n) => counted(n, { one: "Satz", other: "Sätze" }),
    generate: (prompt, answer) => `${prompt} → ${answer} Token`,
    check: (supported, sentences) => `${supported} von ${sentences} belegt`,
  },

  cost: {
    heading: "Was es gekostet hat",
    times: (total) => `${total} Rechenzeit, Schritt für Schritt`,
    bar: (parts) => `Zeit je Schritt: ${parts}`,
    question: "Für diese Frage abgerufen",
    visit: "Seit dem Öffnen der Seite abgerufen",
    requests: (bytes, n) => `${bytes} in ${counted(n, { one: "Anfrage", other: "Anfragen" })}`,
    nothing: "nichts: Es war alles schon da",
    free: (n) =>
      `nichts aus dem Netz: ${counted(n, { one: "Anfrage wurde", other: "Anfragen wurden" })} von diesem Gerät beantwortet`,
    waited: "Gewartet, bis der Encoder geladen war",
    foreign: "Anfragen an Dritte",
    sent: "Was eine Seite hinausschickt, die einen Server fragt: jedes Mal Ihre Frage. Was diese hinausschickt: nichts davon.",
    unknown: "Läufe eines Modells werden in ihrem eigenen Block gemessen.",
  },

  keyword: {
    lead: (k1, b) =>
      `BM25 nach den Wörtern der Frage, über Überschriften und Text (k₁ = ${k1}, b = ${b}). Ein seltenes Wort wiegt mehr, ein wiederholtes immer weniger, und in einer langen Textstelle zählt jedes Wort weniger.`,
    terms: "Wörter der Frage",
    term: "Wort",
    chunks: "In Textstellen",
    idf: "Gewicht (idf)",
    list: "Die besten nach Stichwort",
    exact: "die Überschrift selbst",
    inTitle: "Überschrift",
    none: "Keines dieser Wörter steht in den Unterlagen.",
    settings: "An den zwei Reglern drehen",
    settingsLead:
      "k₁ bestimmt, wie bald ein wiederholtes Wort nicht mehr zählt; b, wie stark eine lange Textstelle gebremst wird. Die Reihenfolge folgt sofort, unter den gefundenen Textstellen.",
    k1: "k₁, Wiederholung",
    b: "b, Länge",
    course: "Einstellung des Kurses",
    yours: "Ihre Einstellung",
    reset: "Zurück zur Einstellung des Kurses",
    moved: (places) => (places > 0 ? `${places} hinauf` : `${-places} hinab`),
    stays: "gleicher Platz",
    reordered: (n) =>
      `${counted(n, { one: "Textstelle steht", other: "Textstellen stehen" })} anderswo als mit der Einstellung des Kurses`,
  },
  embed: {
    lead: "Der Encoder macht aus der Frage einen Vektor: einen Punkt unter den Punkten aller Textstellen. Was dasselbe bedeutet, liegt nah beieinander.",
    model: "Modell",
    revision: "Revision",
    file: "Datei, SHA-256",
    pieces: "Wortteile",
    dims: "Zahlen im Vektor",
    pooling: "Pooling",
    probes: "Kontrollsätze",
    probesValue: (n, least) => `${n}, kleinster Kosinus zum Build ${least}`,
    loaded: "Geladen und geprüft in",
    waited: "Die Frage wartete",
  },
  map: {
    heading: "Die Frage unter allen Textstellen",
    lead: (n, share) =>
      `Jede der ${n} Textstellen ist ein Punkt aus 384 Zahlen. Dies ist ihre beste flache Ansicht: die Ebene, die am meisten von ihrer Varianz bewahrt, ${share}. Was verloren geht, ist der Grund, warum die fünf nächsten, mit Linien verbunden, nicht am nächsten aussehen müssen.`,
    idle: "Stellen Sie eine Frage, und sie erscheint darin.",
    label: (n) => `Karte von ${n} Textstellen, ein Zeichen je Vorlesung; die Liste danach sagt dasselbe in Worten`,
    question: "Ihre Frage",
    legend: "Vorlesungen",
    nearest: "Der Frage am nächsten",
    all: "Alle Textstellen in ihrer Nähe, als Liste",
    cosine: (value) => `Kosinus ${value}`,
    hint: "Zeigen Sie auf eine Textstelle oder gehen Sie die Liste durch, um zu sehen, welche es ist. Strg und das Rad, zwei Finger oder + und − holen es näher heran.",
    view: "Die Karte: + und − holen sie näher heran und zurück, die Pfeile verschieben sie, 0 zeigt sie ganz",
    nearer: "Näher",
    farther: "Weiter weg",
    whole: "Alles",
    running: "Die Karte wird gezeichnet …",
    failed: "Die Karte konnte nicht geladen werden.",
    none: "Dieser Index wurde ohne Karte gebaut.",
    only: "Nur diese Vorlesung zeigen",
  },
  dense: {
    spread: "Wo alle Kosinuswerte liegen",
    spreadLabel: (n, best, median) =>
      `Verteilung der Kosinuswerte von ${n} Textstellen: Die Hälfte liegt unter ${median}, der beste ist ${best}`,
    here: (value) => `bester ${value}`,
    whisker: (bound) =>
      `Die dünne Linie durch das Ende jedes Balkens zeigt, wie weit ihn acht Bit je Zahl verschoben haben können: nie mehr als ±${bound}.`,
    within: (n) =>
      n === 0
        ? "Keine zwei Nachbarn liegen hier näher beieinander: Die Reihenfolge ist sicher."
        : plural(n, {
            one: `${n} Nachbar liegt näher an seinem Vorgänger, die Reihenfolge kann also vom Runden kommen.`,
            other: `${n} Nachbarn liegen näher an ihrem Vorgänger, ihre Reihenfolge kann also vom Runden kommen.`,
          }),
    lead: (n) => `Der Kosinus zwischen der Frage und jeder der ${n} Textstellen, alle, exakt.`,
    list: "Der Bedeutung nach am nächsten",
    threshold: (value) => `Schranke bei ${value}`,
  },
  fuse: {
    lead: (k) =>
      `Reciprocal Rank Fusion: Eine Textstelle bekommt aus jeder Liste 1 ÷ (${k} + ihr Rang). So brauchen verschiedenartige Werte keinen gemeinsamen Maßstab.`,
    list: "Die besten beider Listen",
    keyword: "Stichwort",
    dense: "Bedeutung",
    from: (list, rank, score) => `${list} Nr. ${rank}: ${score}`,
    absent: (list) => `fehlt bei ${list}`,
    flow: "Aus zwei Listen wird eine",
    flowLabel: (n) =>
      `Die besten ${n} der gemeinsamen Liste, verbunden mit ihren Rängen nach Stichwort und nach Bedeutung`,
    fused: "gemeinsam",
  },
  rerank: {
    lead: (depth) =>
      `Late Interaction: Jeder Wortteil der Frage sucht seinen nächsten Wortteil in einer Textstelle, einen, dessen Nachbarn auch zu den seinen passen, und die seltenen zählen mehr. Das geschieht für die ersten ${depth} der gemeinsamen Liste, aus einem Bit je Richtung.`,
    list: "Nach der Neuordnung",
    pieces: "Wortteile der Frage",
    piece: "Wortteil",
    weight: "Gewicht",
    maxSim: "Wörter der Reihe nach",
    keyword: "Stichwort",
    cosine: "Kosinus",
    before: (rank) => `war Nr. ${rank}`,
    up: (places) => `${places} hinauf`,
    down: (places) => `${places} hinab`,
    same: "gleicher Platz",
    moves: "Was sich bewegt hat",
    movesLabel: (n) => `Die besten ${n} nach der Neuordnung, verbunden mit ihren Rängen davor`,
    beforeHead: "davor",
    afterHead: "danach",
    rest: (n) =>
      plural(n, {
        one: "Die eine weitere behält ihren Platz aus der gemeinsamen Liste.",
        other: `Die übrigen ${n} behalten die Reihenfolge der gemeinsamen Liste.`,
      }),
    map: "Was worauf traf",
    mapLead:
      "Zeilen sind Wortteile der Frage, Spalten die der Textstelle in Lesefolge; je dunkler, desto näher; wie nah die Wortteile davor und danach sind, zählt mit. Ein Punkt markiert den besten jeder Zeile: Nur diese zählen.",
    mapOf: (place) => `Wortteile der Frage gegen Wortteile von „${place}“`,
    show: "Zeigen",
    shown: "Unten gezeigt",
    nearest: "Der nächste in der Textstelle",
    match: "Übereinstimmung",
    mapFailed: "Die Vektoren dieser Textstelle konnten nicht geladen werden.",
    mapRunning: "Es wird verglichen …",
    off: "Nichts wird neu geordnet. Die gemeinsame Liste behält ihre Reihenfolge.",
    by: "Neu ordnen durch",
    modes: {
      "late-interaction": "Late Interaction",
      "cross-encoder": "Cross-Encoder",
      off: "Aus",
    },
    crossLead: (model, depth) =>
      `Ein Cross-Encoder (${model}) liest die Frage zusammen mit jeder der ersten ${depth} Textstellen der gemeinsamen Liste. Jede kostet einen Durchlauf durch das Modell.`,
    crossSize: (bytes) => `Der Cross-Encoder hat ${bytes} und wird einmal geladen, wenn Sie ihn wählen.`,
    crossKept: "Der Cross-Encoder ist von einem früheren Besuch vorhanden.",
    crossLoading: (loaded, total) => `Der Cross-Encoder wird geladen: ${loaded} von ${total}`,
    crossStarting: "Der Cross-Encoder wird gestartet …",
    crossReady: "Der Cross-Encoder ist geladen.",
    crossRunning: "Die Textstellen werden gelesen …",
    crossTime: (ms, n) => `${counted(n, passages)} in ${ms} gelesen.`,
    score: "Wert",
  },
  gate: {
    wordByWord: "Bester Wert, Wort für Wort",
    coverage: "Wörter in den Unterlagen",
    mixed:
      "Beantwortbarkeit ist zu fünf Teilen die beste Textstelle, Wort für Wort, und zu einem Teil, wie viel von der Frage irgendwo in den Unterlagen steht; seltenere Wörter zählen mehr.",
    open: "Offen: Die beste Textstelle liegt nah genug.",
    closed: "Geschlossen: Keine Textstelle liegt nah genug, darum wird nichts geantwortet.",
    skipped:
      "Ohne Kosinus kann die Schranke nicht urteilen. Sie bleibt geschlossen, und nur Textstellen werden gezeigt.",
    source: {
      calibrated: "beim Bauen der Website an den eigenen Fragen des Kurses kalibriert",
      configured: "vom Kurs festgelegt",
      default: "die Voreinstellung, an allgemeinen Fragen gemessen",
      language: "keine: Der Encoder kennt die Sprache des Kurses nicht, also schließen seine Werte die Schranke nicht",
    },
    threshold: "Schwelle",
    score: {
      cosine: "Bester Kosinus",
      answerability: "Beantwortbarkeit",
      cross_encoder: "Bester Wert, zusammen gelesen",
    },
    margin: "Abstand",
    gold: (n, answerable) =>
      `Jeder Strich ist eine der ${n} Fragen, die die Lehrenden des Kurses eingeordnet haben: oben die ${answerable}, die die Unterlagen beantworten; unten jene, die sie nicht beantworten.`,
    goldSplit: (dev, test) =>
      `Die Schwelle wurde an ${dev} davon gewählt (kräftig) und an den übrigen ${test} nicht (blass).`,
    goldOutcome: (refused, passed) =>
      `Bei dieser Schwelle ${plural(refused, { one: "wird", other: "werden" })} ${count(refused)} beantwortbare abgewiesen, und ${count(passed)}, die die Unterlagen nicht beantworten, ${plural(passed, { one: "wird", other: "werden" })} durchgelassen.`,
    line: (score, threshold, margin) => `Zahlenstrahl: bester Wert ${score}, Schwelle ${threshold}, Abstand ${margin}`,
  },
  prompt: {
    lead: "Was ein Sprachmodell bekäme, Wort für Wort. Es ist keines geladen: Stattdessen wird zitiert, und dies ist, was sich nachprüfen lässt.",
    copy: "Kopieren",
    copied: "Kopiert",
    copyFailed: "Bitte den Text markieren und kopieren",
    tokens: (used, budget) => `${used} von höchstens ${budget} Token.`,
    words: (n) => `Jede Textstelle auf ${counted(n, { one: "Wort", other: "Wörter" })} gekürzt.`,
    stable: (n) =>
      `Bis zum Strich, ${counted(n, { one: "Token", other: "Token" })}: bei jeder Frage gleich, ein Modell liest das nur einmal.`,
    part: {
      instruction: "Anweisung",
      history: "Bisher Gesagtes",
      question: "Frage",
      begin: "Markierung",
      passage: "Textstelle",
      end: "Markierung",
    },
    dropped: {
      "below-floor": (n, share) =>
        `Textstelle ${n} fehlt: Sie passt zu ${Math.round(100 * share)} % so gut wie die beste.`,
      duplicate: (n, share, of) =>
        `Textstelle ${n} fehlt: ${Math.round(100 * share)} % davon stehen schon in Textstelle ${of}.`,
      "no-room": (n) => `Textstelle ${n} fehlt: Für sie ist kein Platz.`,
    },
    skipped: "Bei geschlossener Schranke wird kein Prompt gebaut.",
  },
  answerPanel: {
    lead: "Jeder Satz der Textstellen wird mit der Frage verglichen; die besten werden zitiert, jeder mit seiner Nummer.",
    passage: (n) => `Textstelle ${n}`,
    skipped: "Bei geschlossener Schranke wird nichts geantwortet.",
  },
  checkPanel: {
    idle: "Was ein Sprachmodell schreibt, wird mit den Textstellen verglichen, die es anführt.",
    lead: (supported, weak) =>
      `Jeder Satz des Modells wird Wort für Wort mit jedem Satz der Textstellen verglichen, die er anführt. Ab ${supported} gilt er als belegt, unter ${weak} als nicht belegt; eine Zahl, ein „nicht“ oder ein Gegensatz, den die Textstelle nicht hat, macht ihn schwach. Es geht um Wörter, nicht um Wahrheit.`,
    verdict: {
      supported: "Belegt.",
      weak: "Schwach belegt.",
      unsupported: "Nicht belegt.",
      uncited: "Führt nichts an.",
      "unknown-citation": "Führt an, was nicht vorlag.",
      "no-claim": "Behauptet nichts.",
    },
    objection: {
      number: (what) => `Die Zahl ${what} steht dort nicht.`,
      negation: (what) => `Nur einer der beiden verneint „${what}“.`,
      opposite: (what) => `Gegensätze: ${what}.`,
      citation: (what) => `Eine Textstelle ${what} gibt es nicht.`,
    },
    evidence: (n, text) => `Am nächsten in Textstelle ${n}: „${text}“`,
  },
  generatePanel: {
    idle: "Ein Sprachmodell schreibt nur auf Ihren Wunsch, unter der Antwort.",
    lead: "Ein Sprachmodell las den Prompt und schrieb dies, Wort für Wort. Es kann sich irren: Jeder Satz wird mit der Textstelle verglichen, die er anführt.",
    engine: "Läuft auf",
    model: "Modell",
    promptTokens: "Token des Prompts",
    promptRate: "Gelesen",
    firstToken: "Erstes Token nach",
    answerTokens: "Token der Antwort",
    answerRate: "Geschrieben",
    rate: (value) => `${value} Token/s`,
    finish: "Beendet",
    finished: {
      stop: "vom Modell",
      length: "an seiner Token-Grenze",
      aborted: "von Ihnen",
    },
    text: "Was es schrieb",
    prompt: "Was es bekam",
  },
  engines: {
    webllm: "WebLLM, auf der Grafikkarte (WebGPU)",
    wllama: "llama.cpp in diesem Tab, auf dem Prozessor",
    "built-in": "Das Modell des Browsers",
    address: "Ein eigenes Programm unter einer Adresse",
  },
  skipped: (reason) => `Übersprungen: ${reason}`,

  build: {
    lectures: "Vorlesungen",
    chunks: "Textstellen",
    vectors: "Vektoren",
    index: "Index",
    pages: "Seiten",
    lecturesCount: (n) => `${count(n)} freigegeben`,
    chunksCount: (n) => `${count(n)}, an Überschriften geschnitten`,
    vectorsCount: (n, dims) => `${n} × ${dims}, int8`,
    pagesCount: (n) => `${n} zum Zitieren`,
    lecturesLead: (date) =>
      `Vorlesungen, die bis zum ${date} freigegeben waren. Eine spätere wird nirgends eingelesen.`,
    chunksLead: (tokens) =>
      `Skripte werden an Überschriften geschnitten, Foliensätze nach Folien; nie mehr als die ${tokens} Wortteile, die der Encoder liest.`,
    vectorsLead: (name) =>
      `Jede Textstelle mit ihren Überschriften, eingebettet mit ${name}; dann acht Bit je Zahl und ein Maßstab je Vektor.`,
    indexLead: "Jede Datei wird vor der Verwendung mit ihrer SHA-256-Summe im Manifest verglichen.",
    pagesLead: "Skripte und Folien als Seiten, damit ein Beleg an die Stelle selbst führt. Jedem Link wurde gefolgt.",
    sections: "Abschnitte",
    words: "Wörter",
    pieces: "Wortteile",
    truncated: "Vom Encoder abgeschnittene Texte",
    embedded: "Eingebettet",
    embeddedValue: (now, before) => `${now} in diesem Build, ${before} von früher bekannt`,
    links: "Geprüfte Links",
    file: "Datei",
    files: "Dateien",
    bytes: "Bytes",
    total: (bytes, each) => `Der Index hat ${bytes}: ${each} Byte je Textstelle vor der Kompression.`,
  },
};
