/** Every word that the page says, in German. */

import type { ErrorRecord } from "../../errors";
import type { Strings } from ".";
import { count, counted, megabytes, plural } from "./locale";

const tellStaff = "Bleibt es dabei, nennen Sie den Lehrenden des Kurses die hier genannte Datei.";
const buildAgain = "Die Website muss neu gebaut werden: Wenden Sie sich an die Lehrenden des Kurses.";
const oneVersion =
  "Laden Sie die Seite neu. Hilft das nicht, muss die Website mit einer einzigen Version von openbook neu gebaut werden.";
const fileOf = (error: ErrorRecord): string => error.file ?? "Eine Datei";

const passages = { one: "Textstelle", other: "Textstellen" };

export const de: Strings = {
  list: (parts) => parts.join(", "),

  ask: {
    heading: "Fragen an die Unterlagen",
    lead: (lectures) =>
      `Antworten aus den Unterlagen zu ${counted(lectures, { one: "Vorlesung", other: "Vorlesungen" })}, jede mit der Stelle, an der sie steht. Gesucht wird in diesem Tab: Ihre Frage verlässt ihn nicht.`,
    label: "Ihre Frage",
    placeholder: "In eigenen Worten",
    button: "Fragen",
    clear: "Leeren",
    keys: { focus: "zum Schreiben", enter: "zum Fragen", results: "zu den Treffern", escape: "zum Leeren" },
    contents: "Aus dem Inhalt",
  },

  guest: {
    label: (title) => `${title} fragen`,
    open: (title) => `In ${title} öffnen`,
    examples: "Zum Beispiel",
    print: (title) => `${title} fragen:`,
  },

  guide: {
    heading: "Fünf Fragen für den Anfang",
    some: "Fragen für den Anfang",
    lead: "Jede zeigt, wozu ein Schritt da ist. Stellen Sie sie und sehen Sie hinein.",
    step: (n, of) => `${n} von ${of}`,
    kinds: {
      identifier: "Ein Name",
      paraphrase: "Andere Worte",
      "both-searches": "Keine Suche allein",
      "near-duplicate": "Zwei, die sich ähneln",
      "follow-up": "Eine Anschlussfrage",
      "not-in-the-notes": "Nicht in den Unterlagen",
    },
    shows: {
      keyword: "Die Stichwortsuche findet einen Namen, den die Bedeutung verwischt",
      embed: "Die Bedeutung hilft, wo die Wörter andere sind",
      fuse: "Zwei Listen zusammen finden, was keine allein vorn hatte",
      rerank: "Wort für Wort verglichen steigt die richtige Stelle auf",
      gate: "Die Schranke schließt, statt raten zu lassen",
    },
    why: {
      keyword:
        "Ein Name ist selten. Darum gibt ihm die Stichwortsuche großes Gewicht und setzt seinen Abschnitt an die Spitze. Der Encoder kennt ihn kaum.",
      embed:
        "Frage und Abschnitt haben wenige Wörter gemeinsam. Als Vektoren zeigen sie in dieselbe Richtung: Suchen Sie die Frage bei ihren fünf nächsten Textstellen.",
      fuse: "Keine der Listen hatte den richtigen Abschnitt an erster Stelle. In beiden steht er weit vorn, und so hebt ihn die Summe seiner Ränge nach oben.",
      rerank:
        "Mehrere Abschnitte handeln von denselben Dingen. Der Vergleich Wort für Wort rückt den nach oben, der die Antwort gibt.",
      gate: "Es klingt nach diesem Kurs, aber keine Textstelle beantwortet es. Der beste Wert bleibt links der Schwelle, und so wird nichts erfunden.",
    },
    followUp: {
      shows: "Sie wird aus dem Gesagten ergänzt",
      first: "Zuerst eine Frage, die für sich steht; die nächste lehnt sich an sie an.",
      second:
        "Allein sagt diese Frage zu wenig. Sie wurde mit Wörtern der vorigen ergänzt: Sehen Sie, wonach gesucht wurde und welche Wörter die Stichwortsuche hat.",
      ask: (question) => `Dann fragen: „${question}“`,
    },
    look: (stage) => `Zum Schritt „${stage}“`,
    next: "Nächste Frage",
    end: "Rundgang beenden",
  },

  filter: {
    label: "Nur einen Teil des Kurses durchsuchen",
    lectures: "Vorlesung",
    allLectures: "Alle Vorlesungen",
    lecture: (number, title) => (number > 0 ? `${number} · ${title}` : title),
    weeks: "Woche",
    allWeeks: "Alle Wochen",
    week: (n) => `Woche ${n}`,
    kind: "Skript oder Folien",
    allKinds: "Beides",
    kinds: { notes: "Skript", slides: "Folien" },
    tags: "Themen",
    addTag: "Thema …",
    clear: "× aufheben",
    drop: "Den ganzen Kurs durchsuchen",
    only: (part) => `Durchsucht wurde nur dieser Teil des Kurses: ${part}.`,
    none: "In diesem Teil des Kurses enthält keine Textstelle eines dieser Wörter.",
    refused: "Nicht in diesem Teil des Kurses",
    refusedLead: "In diesem Teil des Kurses liegt nichts nah genug an Ihrer Frage, um daraus zu antworten.",
    live: "Nicht in diesem Teil des Kurses. Die nächstgelegenen Textstellen sind aufgeführt.",
    gate: "Der beste Wert stammt von den Textstellen, die der Filter durchlässt; die Schwelle gilt für den ganzen Kurs.",
  },

  conversation: {
    searchedFor: "Gesucht wurde nach",
    searched: (queries) => `Gesucht wurde nach: ${queries.join(" · ")}`,
    why: "Diese Frage stützt sich auf die vorige, darum wurde sie ausgeschrieben.",
    edit: "Bearbeiten",
    editLabel: "Wonach gesucht werden soll, eine Suchanfrage je Zeile, höchstens drei",
    search: "Suchen",
    cancel: "Abbrechen",
    literal: "So fragen, wie sie dasteht",
    heading: "Bisher in diesem Gespräch",
    only: "Dieses Gespräch",
    kept: "Nur in diesem Browser aufbewahrt.",
    unkept: "Dieser Browser bewahrt nichts auf: Das Gespräch endet mit diesem Tab.",
    new: "Neues Gespräch",
    markdown: "Als Markdown speichern",
    json: "Als JSON speichern",
    again: "Diese Antwort wieder zeigen",
    refused: "Nicht in den Unterlagen.",
    unjudged: "Nur nach Stichwort gefunden; nichts hat geprüft, ob es die Frage beantwortet.",
    writtenBy: (model) => `Geschrieben von ${model}`,
    unchecked: "Nichts davon wurde mit den Unterlagen verglichen.",
    dropped: (n) =>
      plural(n, {
        one: "Ein Eintrag Ihres letzten Besuchs war nicht lesbar und wurde ausgelassen.",
        other: `${count(n)} Einträge Ihres letzten Besuchs waren nicht lesbar und wurden ausgelassen.`,
      }),
    cleared: "Das Gespräch wurde gelöscht.",
    undo: "Zurückholen",
    facts: "Gemerkt",
    remember: "Merken",
    forget: "Vergessen",
    title: "Fragen und Antworten",
    file: "gespraech",
  },

  readiness: {
    opening: "Der Index wird geöffnet …",
    keyword: "Die Stichwortsuche ist bereit",
    idle: (size) => `Die Bedeutungssuche wird beim Schreiben geladen (${size}, einmalig)`,
    kept: "Die Bedeutungssuche wird beim Schreiben geladen (vom letzten Besuch vorhanden)",
    wanted: (size) =>
      `Die Bedeutungssuche braucht ${size}. Ihr Browser möchte Daten sparen, deshalb wartet sie auf Sie.`,
    load: "Laden",
    downloading: (loaded, total) => `Die Bedeutungssuche wird geladen: ${loaded} von ${total}`,
    starting: "Die Bedeutungssuche wird gestartet …",
    checking: "Die Bedeutungssuche wird geprüft …",
    ready: "Die Bedeutungssuche ist bereit",
    failed: "Die Bedeutungssuche steht nicht zur Verfügung, die Stichwortsuche schon.",
    retry: "Erneut versuchen",
    progress: "Download des Encoders",
    related: (languages: string) =>
      `Die Bedeutungssuche ist für ${languages} gemacht. Sie hilft hier, aber ihre Werte sagen zu wenig, um eine Frage abzuweisen.`,
    foreign: (languages: string) => `Die Bedeutungssuche kennt nur ${languages}; verlässlich ist die Stichwortsuche.`,
  },

  results: {
    typing: "Nach Stichwort gefunden, während Sie schreiben",
    keyword: "Nach Stichwort gefunden",
    passages: "Textstellen",
    nearest: "Nächstgelegene Textstellen",
    none: "Keine Textstelle enthält eines dieser Wörter.",
    noneHint: "Versuchen Sie andere Wörter, oder suchen Sie mit der Eingabetaste nach der Bedeutung.",
    count: (shown, all, time) => `${shown} von ${all}, ${time}`,
    notes: "Skript",
    slides: "Folien",
    lecture: (number) => `Vorlesung ${number}`,
    more: "Ganze Textstelle zeigen",
    less: "Weniger zeigen",
    open: (where) => `${where} öffnen`,
    updated: (date) => `geändert am ${date}`,
    part: (part, parts) => `Teil ${part} von ${parts}`,
    foundBy: {
      both: (keyword, dense) => `Stichwort ${keyword}, Bedeutung ${dense}`,
      keyword: (rank) => `Stichwort ${rank}`,
      dense: (rank) => `Bedeutung ${rank}`,
    },
    rank: (n) => `Nr. ${n}`,
  },

  answer: {
    heading: "Antwort",
    running: "Die Unterlagen werden gelesen …",
    waiting: (loaded, total) =>
      `Die Treffer nach Stichwort sind schon da. Die Antwort folgt, sobald die Bedeutungssuche geladen ist (${loaded} von ${total}).`,
    quoted: "Wörtlich aus den Textstellen zitiert. Kein Sprachmodell hat das geschrieben.",
    cited: (number, label) => `Textstelle ${number}: ${label}`,
    empty: "Kein Satz der Textstellen antwortet für sich allein. Lesen Sie die Textstellen.",
    refused: "Nicht in den Unterlagen",
    refusedLead:
      "Nichts in diesem Kurs liegt nah genug an Ihrer Frage, um daraus zu antworten. Fragen Sie mit anderen Worten, oder sehen Sie, ob eine der nächsten Textstellen hilft.",
    refusedWhy: {
      cosine: (score, threshold) =>
        `Die nächste Textstelle hat einen Kosinus von ${score}; nötig sind mindestens ${threshold}.`,
      answerability: (score, threshold) => `Übereinstimmung ${score}; nötig sind mindestens ${threshold}.`,
      cross_encoder: (score, threshold) =>
        `Zusammen mit Ihrer Frage gelesen erreicht die beste Textstelle ${score}; nötig sind mindestens ${threshold}.`,
    },
    nowhere: (words) => `Nirgends in den Unterlagen: ${words}.`,
    meant: "Meinten Sie:",
    word: (word) => `„${word}“`,
    unjudged: "Nur nach Stichwort gefunden",
    unjudgedLead:
      "Ohne Bedeutungssuche kann die Seite nicht beurteilen, ob die Unterlagen Ihre Frage beantworten; darum antwortet sie nicht. Diese Textstellen enthalten Wörter der Frage.",
    failed: "Die Frage konnte nicht beantwortet werden",
  },

  live: {
    typed: (n) => `${counted(n, passages)} nach Stichwort gefunden`,
    running: "Die Suche läuft",
    answered: (n) => `Antwort bereit, mit ${counted(n, { one: "Beleg", other: "Belegen" })}`,
    refused: "Nicht in den Unterlagen. Die nächstgelegenen Textstellen sind aufgeführt.",
    unjudged: "Die Treffer nach Stichwort sind aufgeführt. Ohne Bedeutungssuche gibt es keine Antwort.",
    failed: "Die Frage konnte nicht beantwortet werden.",
    copied: "Kopiert",
  },

  working: {
    heading: "Der Rechenweg",
    lead: "Was zwischen Frage und Antwort geschah. Öffnen Sie einen Block, um seine Zahlen zu sehen.",
    idle: "Jede Frage durchläuft diese Blöcke. Stellen Sie eine, und jeder Block zeigt, was er getan hat.",
    flow: "Wenn Sie fragen",
    build: (date, time) => `Als die Website gebaut wurde, Stand ${date}${time ? `: ${time}` : ""}`,
    total: (time, waited) =>
      waited === "" ? `${time} in diesem Tab.` : `${time} in diesem Tab, nach ${waited} Laden.`,
    show: "Rechenweg zeigen",
    hide: "Rechenweg ausblenden",
    teaser: "jeder Schritt, seine Zahlen und seine Kosten",
    export: "Ablauf exportieren",
    link: "Link kopieren",
    linked: "Link kopiert",
    linkFailed: "Bitte die Adresse dieser Seite kopieren",
  },

  states: {
    waiting: "wartet",
    running: "läuft",
    done: "fertig",
    off: "aus",
    skipped: "übersprungen",
    failed: "fehlgeschlagen",
  },

  stages: {
    keyword: "Stichwort",
    embed: "Vektor",
    dense: "Kosinus",
    fuse: "Fusion",
    rerank: "Reihung",
    gate: "Schranke",
    prompt: "Prompt",
    answer: "Antwort",
    generate: "Modell",
    check: "Prüfung",
  },

  generation: {
    heading: "In den Worten eines Modells",
    none: "Kein Sprachmodell ist geladen, und es braucht keines.",
    offer: "Antwort mit einem Sprachmodell schreiben …",
    again: (label, size) => (size === "" ? `${label} wieder laden` : `${label} wieder laden (${size})`),
    other: "Anderes Modell …",
    refused: "Das Modell wird nicht gefragt: Nichts in den Unterlagen liegt nah genug, um daraus zu antworten.",
    unjudged: "Ein Modell kann antworten, sobald die Bedeutungssuche geladen ist.",
    ready: (label) => `${label} ist bereit.`,
    write: "Antwort schreiben",
    writeAgain: "Noch einmal schreiben",
    auto: "Bei meinen nächsten Fragen ohne Nachfrage schreiben",
    stop: "Anhalten",
    unload: "Modell entladen",
    reading: "Der Prompt wird gelesen …",
    builtInModel: "Das Modell des Browsers",
    wrote: (label) => `Von ${label} aus den Textstellen geschrieben. Es kann sich irren.`,
    stopped: "Hier haben Sie angehalten.",
    cut: "Es kam an seine Token-Grenze und endet hier.",
    empty: "Das Modell schrieb nichts.",
    notInNotes:
      "Das Modell sagt, dass die Textstellen dies nicht beantworten. Lesen Sie selbst nach: Es kann etwas übersehen haben.",
    figures: {
      first: (time) => `erstes Token nach ${time}`,
      rate: (rate) => `${rate} Token/s`,
      answer: (n) => `${count(n)} Token geschrieben`,
      prompt: (tokens) => `${tokens} gelesen`,
    },
    verdicts: {
      supported: "belegt",
      weak: "schwach belegt",
      unsupported: "nicht belegt",
      uncited: "ohne Beleg",
      "unknown-citation": "mit einem Beleg, der nicht vorlag",
      "no-claim": "ohne Behauptung",
    },
    cutPrompt: "Der Prompt wurde auf das gekürzt, was dieses Modell lesen kann; der Block „Modell“ zeigt ihn.",
    cite: (number, label) => `Textstelle ${number}: ${label}`,
    noPassage: (number) => `Eine Textstelle ${number} gibt es nicht`,
    failed: {
      looking: "Das Nachsehen ist fehlgeschlagen",
      loading: "Das Laden ist fehlgeschlagen",
      writing: "Das Schreiben ist fehlgeschlagen",
    },
    retry: "Erneut versuchen",
    live: {
      loaded: (label) => `${label} ist bereit`,
      writing: "Das Modell schreibt",
      written: "Das Modell hat seine Antwort geschrieben",
    },
  },
  unavailable: {
    "no-wasm64":
      "Diesem Browser fehlt etwas Nötiges (64-Bit-Speicher für WebAssembly). Chrome, Edge und Firefox haben es.",
    "no-webgpu":
      "Dieser Browser hat kein WebGPU. Neuere Versionen von Chrome, Edge, Safari und Firefox haben es auf den meisten Rechnern.",
    "no-adapter":
      "Dieser Browser hat WebGPU, gibt ihm aber keine Grafikkarte: Sie ist vielleicht gesperrt, abgeschaltet oder zu alt.",
    "small-adapter": "Die Grenzen der Grafikkarte liegen unter dem, was irgendein Modell braucht.",
    "no-model-for-gpu": "Keines der angebotenen Modelle läuft auf dieser Grafikkarte.",
    "no-prompt-api": "Dieser Browser hat kein eigenes Modell. Chrome und Edge haben auf manchen Rechnern eines.",
    "built-in-unavailable": "Dieser Browser hat ein eigenes Modell, aber nicht für diesen Rechner.",
    "no-model": "Diese Website bietet dafür kein Modell an.",
    "not-offered": "Diese Website bietet es nicht an.",
  },

  kept: "Auf diesem Gerät gespeichert",

  update: {
    notice: "Die Unterlagen wurden aktualisiert. Diese Seite zeigt und durchsucht noch die Fassung davor.",
    reload: "Neu laden",
  },

  language: {
    label: "Sprache dieser Seite",
    unkept: "Dieser Browser bewahrt keine Wahl auf: Die Seite bleibt in der Sprache des Kurses.",
  },

  problems: {
    heading: "Mit den Dateien dieser Website stimmt etwas nicht",
    retry: "Erneut versuchen",
    reload: "Seite neu laden",
  },

  errors: {
    offline: (error) => ({
      title: `${fileOf(error)} konnte nicht abgerufen werden.`,
      next: "Prüfen Sie die Verbindung und versuchen Sie es erneut.",
    }),
    "http-status": (error) => ({
      title: `${fileOf(error)} fehlt: Der Server antwortete mit ${error.found ?? "einem Fehler"}.`,
      next: `Vielleicht wird die Website gerade aktualisiert: Laden Sie in einer Minute neu. ${tellStaff}`,
    }),
    "html-instead": (error) => ({
      title: `${fileOf(error)}: Der Server schickte stattdessen eine Webseite.`,
      next: `Sie wurde weder verwendet noch aufbewahrt. Netze mit Anmeldung tun das; melden Sie sich an und versuchen Sie es erneut. ${tellStaff}`,
    }),
    "wrong-size": (error) => ({
      title: `${fileOf(error)} kam unvollständig an: ${error.found ?? "?"} von ${error.expected ?? "?"} Bytes.`,
      next: `Die Datei wurde nicht verwendet. Versuchen Sie es erneut. ${tellStaff}`,
    }),
    stalled: (error) => ({
      title: `${fileOf(error)} kommt nicht mehr weiter.`,
      next: "Prüfen Sie die Verbindung und versuchen Sie es erneut: Was da ist, bleibt, und der Rest wird geladen.",
    }),
    "storage-full": (error) => ({
      title: `Der Browser hat keinen Platz: ${megabytes(error.expected)} MB sind nötig, ${megabytes(error.found)} MB sind frei.`,
      next: "Löschen Sie, was Sie nicht brauchen, hier oder im Speicher anderer Websites, oder nehmen Sie ein kleineres Modell.",
    }),
    "wrong-hash": (error) => ({
      title: `${fileOf(error)} ist nicht die Datei, die für diesen Kurs gebaut wurde.`,
      next: `Die SHA-256-Summe stimmt nicht, darum wurde sie nicht verwendet. Laden Sie die Seite neu. ${tellStaff}`,
    }),
    "not-listed": (error) => ({
      title: `${fileOf(error)} gehört nicht zum Index dieser Website.`,
      next: buildAgain,
    }),
    "manifest-format": (error) => ({
      title: `${fileOf(error)} ist nicht lesbar.`,
      next: `${buildAgain} (${error.message})`,
    }),
    "file-format": (error) => ({
      title: `${fileOf(error)} ist nicht lesbar.`,
      next: `${buildAgain} (${error.message})`,
    }),
    "page-outdated": () => ({
      title: "Diese Seite ist älter als der Index des Kurses.",
      next: "Die Seite wurde eben aktualisiert: Laden Sie sie neu.",
    }),
    "schema-version": () => ({
      title: "Index und Seite haben verschiedene Versionen.",
      next: oneVersion,
    }),
    "tokenizer-mismatch": () => ({
      title: "Der Index wurde anders in Wörter zerlegt, als diese Seite es tut.",
      next: oneVersion,
    }),
    "model-unsupported": (error) => ({
      title: "Der Encoder dieses Index kann hier nicht laufen.",
      next: error.message,
    }),
    "gate-stale": (error) => ({
      title: "Die Schranke wurde für einen anderen Index als diesen kalibriert.",
      next: `${buildAgain} (${error.message})`,
    }),
    "encoder-start": (error) => ({
      title: "Der Encoder ist nicht gestartet.",
      next: `Er braucht WebAssembly und etwa 200 MB freien Arbeitsspeicher: Schließen Sie andere Tabs oder nehmen Sie einen anderen Browser. (${error.message})`,
    }),
    "probe-mismatch": (error) => ({
      title: "Der Encoder berechnet hier andere Vektoren als beim Bauen der Website.",
      next: `Seine Ergebnisse wären falsch, darum bleibt die Bedeutungssuche aus. Ein anderer Browser kann es vielleicht. (${error.message})`,
    }),
    "cross-encoder-start": (error) => ({
      title: "Der Cross-Encoder ist nicht gestartet.",
      next: `Er braucht WebAssembly und freien Arbeitsspeicher: Schließen Sie andere Tabs oder bleiben Sie bei Late Interaction. (${error.message})`,
    }),
    "probe-score": (error) => ({
      title: "Der Cross-Encoder bewertet hier anders als beim Bauen der Website.",
      next: `Seine Reihenfolge wäre falsch, darum bleibt es bei Late Interaction. Ein anderer Browser kann es vielleicht. (${error.message})`,
    }),
    "worker-start": () => ({
      title: "Hier läuft nur die Stichwortsuche.",
      next: "Der Browser hat den Worker der Seite abgelehnt, ohne den die Bedeutungssuche die Seite anhielte. Laden Sie die Seite neu oder nehmen Sie einen anderen Browser.",
    }),
    "engine-unavailable": (error) => ({ title: "Dieses Modell kann hier nicht laufen.", next: error.message }),
    "engine-start": (error) => ({
      title: "Das Modell ist nicht gestartet.",
      next: `Vielleicht braucht es mehr Arbeitsspeicher, als da ist: Schließen Sie andere Tabs oder wählen Sie ein kleineres Modell. (${error.message})`,
    }),
    "engine-context": () => ({
      title: "Die Frage und ihre Textstellen sind länger, als dieses Modell lesen kann.",
      next: "Stellen Sie eine kürzere Frage oder wählen Sie ein Modell, das mehr liest.",
    }),
    "engine-lost": (error) => ({
      title: "Das Modell brach während der Arbeit ab.",
      next: `Vielleicht brauchte der Browser den Speicher. Versuchen Sie es erneut, oder wählen Sie ein kleineres Modell oder eines, das auf dem Prozessor läuft. (${error.message})`,
    }),
    "address-invalid": (error) =>
      error.found === "policy"
        ? {
            title: `Diese Website lässt die Seite ${error.file ?? "diese Adresse"} nicht erreichen.`,
            next: "Erlaubt sind nur Adressen auf diesem Rechner (http://localhost oder http://127.0.0.1) und jene, die die Lehrenden des Kurses hinzugefügt haben.",
          }
        : { title: "Das ist keine Adresse.", next: "Geben Sie eine an wie http://localhost:11434/v1." },
    "address-unreachable": (error) => ({
      title: `Unter ${error.file ?? "dieser Adresse"} antwortet nichts, das diese Seite lesen darf.`,
      next: `Prüfen Sie, ob das Programm läuft und Anfragen von ${globalThis.location?.origin ?? "dieser Website"} annimmt (Ollama: OLLAMA_ORIGINS; LM Studio: „Enable CORS“; llama.cpp nimmt sie an).`,
    }),
    "address-refused": (error) => ({
      title: `${error.file ?? "Die Adresse"} verlangt einen Schlüssel.`,
      next: "Geben Sie den Schlüssel ein, mit dem das Programm gestartet wurde.",
    }),
    "address-missing": (error) => ({
      title: `${error.file ?? "Die Adresse"} hat das Verlangte nicht.`,
      next: `Prüfen Sie das Ende der Adresse (die meisten Programme erwarten /v1) und das Modell. (${error.found ?? ""})`,
    }),
    "address-status": (error) => ({
      title: `${error.file ?? "Die Adresse"} antwortete mit einem Fehler.`,
      next: error.found ?? "",
    }),
    "address-protocol": (error) => ({
      title: `${error.file ?? "Die Adresse"} antwortete nicht so, wie es das Protokoll vorsieht.`,
      next: `Das Programm muss das Protokoll von OpenAI für Chat Completions sprechen, mit Streaming. (${error.found ?? ""})`,
    }),
    unexpected: (error) => ({
      title: "Etwas Unerwartetes ist schiefgegangen.",
      next: `Laden Sie die Seite neu. (${error.message})`,
    }),
  },
};
