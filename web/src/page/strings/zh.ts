/** Every word that the page says, in Chinese, in simplified characters. */

import type { ErrorRecord } from "../../errors";
import type { Strings } from ".";
import { count, counted, megabytes } from "./locale";

const tellStaff = "如果一直如此，请把这里列出的文件告诉任课教师。";
const buildAgain = "网站需要重新构建：请告知任课教师。";
const oneVersion = "请重新加载页面。如果仍不行，需要用同一版本的 openbook 重新构建网站。";
const fileOf = (error: ErrorRecord): string => error.file ?? "某个文件";

const passages = { other: "个段落" };

export const zh: Strings = {
  list: (parts) => parts.join("，"),

  ask: {
    heading: "向讲义提问",
    lead: (lectures) =>
      `从 ${count(lectures)} 讲的讲义中作答，每个回答都注明出处。检索在此标签页内完成：您的问题不会发往任何地方。`,
    label: "您的问题",
    placeholder: "用您自己的话",
    button: "提问",
    clear: "清空",
    keys: { focus: "开始输入", enter: "提问", results: "查看结果", escape: "清空" },
    contents: "目录摘选",
  },

  guest: {
    label: (title) => `向“${title}”提问`,
    open: (title) => `在“${title}”中打开`,
    examples: "例如",
    print: (title) => `向“${title}”提问：`,
  },

  guide: {
    heading: "从五个问题开始",
    some: "可以从这些问题开始",
    lead: "每个问题说明一个环节的作用。提问后可查看其内部。",
    step: (n, of) => `第 ${n} 个，共 ${of} 个`,
    kinds: {
      identifier: "一个名称",
      paraphrase: "换一种说法",
      "both-searches": "单靠一种检索不够",
      "near-duplicate": "两处相似的内容",
      "follow-up": "追问",
      "not-in-the-notes": "讲义中没有",
    },
    shows: {
      keyword: "关键词检索能找到语义检索会模糊掉的名称",
      embed: "用词不同时，靠语义找到",
      fuse: "两份列表合在一起，找到任何一份都没有排在首位的内容",
      rerank: "逐词比较，正确的段落上升",
      gate: "闸门关闭，而不是猜测",
    },
    why: {
      keyword: "名称很少见，因此关键词检索给它很大的权重，把它所在的小节排在首位。编码器几乎没见过这个名称。",
      embed: "问题与该小节几乎没有共同的词，但作为向量方向一致：请在离它最近的五个段落中间找到这个问题。",
      fuse: "两份列表都没有把正确的小节排在首位，但它在两份中都靠前，名次合计后便升到最上面。",
      rerank: "有几个小节讲的是同样的内容。逐词比较后，重排把真正回答问题的那一个移到前面。",
      gate: "听起来像是本课程的内容，但没有段落回答它。最高分仍在阈值左侧，因此不会编造答案。",
    },
    followUp: {
      shows: "根据前文补全",
      first: "先问一个独立的问题，下一个问题要依靠它。",
      second: "单看这个问题信息太少，因此用前一个问题中的词补全：请看检索了什么，以及关键词环节用了哪些词。",
      ask: (question) => `接着问：“${question}”`,
    },
    look: (stage) => `查看“${stage}”`,
    next: "下一个问题",
    end: "结束导览",
  },

  filter: {
    label: "只检索课程的一部分",
    lectures: "讲次",
    allLectures: "全部讲次",
    lecture: (number, title) => (number > 0 ? `${number} · ${title}` : title),
    weeks: "周次",
    allWeeks: "全部周次",
    week: (n) => `第 ${n} 周`,
    kind: "讲义或幻灯片",
    allKinds: "两者",
    kinds: { notes: "讲义", slides: "幻灯片" },
    tags: "标签",
    addTag: "标签…",
    clear: "× 清除",
    drop: "检索整门课程",
    only: (part) => `只检索了课程的这一部分：${part}。`,
    none: "课程的这一部分没有段落包含这些词。",
    refused: "课程的这一部分中没有",
    refusedLead: "课程的这一部分没有与您的问题足够接近、可据以回答的内容。",
    live: "课程的这一部分中没有。已列出最接近的段落。",
    gate: "最高分取自筛选后保留的段落；阈值是整门课程的。",
  },

  conversation: {
    searchedFor: "检索内容",
    searched: (queries) => `检索内容：${queries.join(" · ")}`,
    why: "这个问题承接上一个问题，因此已补写完整。",
    edit: "编辑",
    editLabel: "要检索的内容，每行一条，最多三条",
    search: "检索",
    cancel: "取消",
    literal: "按原文提问",
    heading: "本次对话的前文",
    only: "本次对话",
    kept: "只保存在此浏览器中。",
    unkept: "此浏览器不保存任何内容：关闭标签页，对话即结束。",
    new: "新对话",
    markdown: "保存为 Markdown",
    json: "保存为 JSON",
    again: "再次显示此回答",
    refused: "讲义中没有。",
    unjudged: "仅按关键词找到；未判断是否回答了问题。",
    writtenBy: (model) => `由 ${model} 撰写`,
    unchecked: "以上内容未与讲义核对。",
    dropped: (n) => `上次访问有 ${count(n)} 条记录无法读取，已略去。`,
    cleared: "对话已清除。",
    undo: "恢复对话",
    facts: "已记住",
    remember: "记住",
    forget: "忘记",
    title: "问题与回答",
    file: "conversation",
  },

  readiness: {
    opening: "正在打开索引…",
    keyword: "关键词检索已就绪",
    idle: (size) => `开始输入时加载语义检索（${size}，仅一次）`,
    kept: "开始输入时加载语义检索（上次访问时已保存）",
    wanted: (size) => `语义检索需要 ${size}。您的浏览器要求节省流量，因此等待您的决定。`,
    load: "加载",
    downloading: (loaded, total) => `正在加载语义检索：${loaded} / ${total}`,
    starting: "正在启动语义检索…",
    checking: "正在检查语义检索…",
    ready: "语义检索已就绪",
    failed: "语义检索不可用；关键词检索可用。",
    retry: "重试",
    progress: "编码器的下载进度",
    related: (languages: string) => `语义检索是为${languages}而做的。它在这里有所帮助，但其分数不足以据此拒答。`,
    foreign: (languages: string) => `语义检索只懂${languages}；请以关键词检索为准。`,
  },

  results: {
    typing: "按关键词找到（随输入更新）",
    keyword: "按关键词找到",
    passages: "段落",
    nearest: "最接近的段落",
    none: "没有段落包含这些词。",
    noneHint: "请换用其他词，或按回车键按语义检索。",
    count: (shown, all, time) => `${shown} / ${all}，${time}`,
    notes: "讲义",
    slides: "幻灯片",
    lecture: (number) => `第 ${number} 讲`,
    more: "显示完整段落",
    less: "收起",
    open: (where) => `打开 ${where}`,
    updated: (date) => `更新于 ${date}`,
    part: (part, parts) => `第 ${part} 部分，共 ${parts} 部分`,
    foundBy: {
      both: (keyword, dense) => `关键词${keyword}，语义${dense}`,
      keyword: (rank) => `关键词${rank}`,
      dense: (rank) => `语义${rank}`,
    },
    rank: (n) => `第 ${n} 名`,
  },

  answer: {
    heading: "回答",
    running: "正在阅读讲义…",
    waiting: (loaded, total) => `关键词检索结果已列出。语义检索加载完成后给出回答（${loaded} / ${total}）。`,
    quoted: "逐字引自下列段落，并非由语言模型撰写。",
    cited: (number, label) => `段落 ${number}：${label}`,
    empty: "没有哪一句话能单独回答这个问题。请阅读这些段落。",
    refused: "讲义中没有",
    refusedLead: "本课程没有与您的问题足够接近、可据以回答的内容。请换一种说法，或看看最接近的段落是否有帮助。",
    refusedWhy: {
      cosine: (score, threshold) => `最接近的段落余弦值为 ${score}；至少需要 ${threshold}。`,
      answerability: (score, threshold) => `匹配分 ${score}；至少需要 ${threshold}。`,
      cross_encoder: (score, threshold) => `与您的问题一起阅读时，最佳段落得分为 ${score}；至少需要 ${threshold}。`,
    },
    nowhere: (words) => `讲义中没有出现：${words}。`,
    meant: "您是不是想问：",
    word: (word) => `“${word}”`,
    unjudged: "仅按关键词找到",
    unjudgedLead: "没有语义检索，页面无法判断讲义是否回答了您的问题，因此不作回答。以下段落包含问题中的词。",
    failed: "无法回答这个问题",
  },

  live: {
    typed: (n) => `按关键词找到 ${counted(n, passages)}`,
    running: "正在检索",
    answered: (n) => `回答已就绪，含 ${count(n)} 处引用`,
    refused: "讲义中没有。已列出最接近的段落。",
    unjudged: "已列出关键词检索结果。没有语义检索就不作回答。",
    failed: "无法回答这个问题。",
    copied: "已复制",
  },

  working: {
    heading: "计算过程",
    lead: "从问题到回答之间发生了什么。打开一个方块可查看其数据。",
    idle: "每个问题都要经过这些方块。提一个问题，每个方块就会显示它做了什么。",
    flow: "提问时",
    build: (date, time) => (time ? `构建网站时（截至 ${date}）：${time}` : `构建网站时（截至 ${date}）`),
    total: (time, waited) =>
      waited === "" ? `在此标签页内用时 ${time}。` : `在此标签页内用时 ${time}，此前加载用时 ${waited}。`,
    show: "显示计算过程",
    hide: "隐藏计算过程",
    teaser: "每个环节、其数据与开销",
    export: "导出记录",
    link: "复制链接",
    linked: "链接已复制",
    linkFailed: "请复制本页的地址",
  },

  states: {
    waiting: "等待中",
    running: "运行中",
    done: "完成",
    off: "关闭",
    skipped: "已跳过",
    failed: "失败",
  },

  stages: {
    keyword: "关键词",
    embed: "向量化",
    dense: "余弦",
    fuse: "融合",
    rerank: "重排",
    gate: "闸门",
    prompt: "提示词",
    answer: "回答",
    generate: "模型",
    check: "核查",
  },

  generation: {
    heading: "由模型表述",
    none: "没有加载语言模型，也不需要。",
    offer: "用语言模型撰写回答…",
    again: (label, size) => (size === "" ? `重新加载 ${label}` : `重新加载 ${label}（${size}）`),
    other: "其他模型…",
    refused: "不询问模型：讲义中没有足够接近、可据以回答的内容。",
    unjudged: "语义检索加载完成后，模型才能回答。",
    ready: (label) => `${label} 已就绪。`,
    write: "撰写回答",
    writeAgain: "重新撰写",
    auto: "以后的问题直接撰写，不再询问",
    stop: "停止",
    unload: "卸载模型",
    reading: "正在阅读提示词…",
    builtInModel: "浏览器自带的模型",
    wrote: (label) => `由 ${label} 根据段落撰写，可能有误。`,
    stopped: "您在此处停止了撰写。",
    cut: "达到词元上限，到此为止。",
    empty: "模型没有写出任何内容。",
    notInNotes: "模型认为这些段落没有回答此问题。请自行阅读：它可能有所遗漏。",
    figures: {
      first: (time) => `首个词元用时 ${time}`,
      rate: (rate) => `${rate} 词元/秒`,
      answer: (n) => `写出 ${count(n)} 个词元`,
      prompt: (tokens) => `读入 ${tokens} 个`,
    },
    verdicts: {
      supported: "有依据",
      weak: "依据不足",
      unsupported: "无依据",
      uncited: "没有引用",
      "unknown-citation": "引用了未提供的段落",
      "no-claim": "没有论断",
    },
    cutPrompt: "提示词已缩短到此模型能读的长度；“模型”方块中可以看到。",
    cite: (number, label) => `段落 ${number}：${label}`,
    noPassage: (number) => `没有段落 ${number}`,
    failed: { looking: "检查失败", loading: "加载失败", writing: "撰写失败" },
    retry: "重试",
    live: {
      loaded: (label) => `${label} 已就绪`,
      writing: "模型正在撰写",
      written: "模型已写完回答",
    },
  },
  unavailable: {
    "no-wasm64": "此浏览器缺少所需功能（64 位 WebAssembly 内存）。Chrome、Edge 和 Firefox 具备该功能。",
    "no-webgpu": "此浏览器没有 WebGPU。在大多数电脑上，新版 Chrome、Edge、Safari 和 Firefox 都有。",
    "no-adapter": "此浏览器有 WebGPU，但没有给它图形处理器：可能被屏蔽、被关闭或型号过旧。",
    "small-adapter": "图形处理器的规格低于任何模型的要求。",
    "no-model-for-gpu": "所提供的模型都不能在此图形处理器上运行。",
    "no-prompt-api": "此浏览器没有自带模型。Chrome 和 Edge 在部分电脑上有。",
    "built-in-unavailable": "此浏览器有自带模型，但不适用于这台电脑。",
    "no-model": "本网站没有为它提供模型。",
    "not-offered": "本网站不提供。",
  },

  kept: "保存在此设备上",

  update: {
    notice: "讲义已更新。本页显示和搜索的仍是之前的版本。",
    reload: "重新加载",
  },

  language: {
    label: "本页语言",
    unkept: "此浏览器不保存选择：页面仍使用课程的语言。",
  },

  problems: {
    heading: "本网站的文件有问题",
    retry: "重试",
    reload: "重新加载页面",
  },

  errors: {
    offline: (error) => ({ title: `无法获取 ${fileOf(error)}。`, next: "请检查网络连接后重试。" }),
    "http-status": (error) => ({
      title: `缺少 ${fileOf(error)}：服务器返回 ${error.found ?? "错误"}。`,
      next: `网站可能正在更新：请一分钟后重新加载。${tellStaff}`,
    }),
    "html-instead": (error) => ({
      title: `服务器返回了网页，而不是 ${fileOf(error)}。`,
      next: `该内容没有使用，也没有保存。需要登录的网络会这样；请登录后重试。${tellStaff}`,
    }),
    "wrong-size": (error) => ({
      title: `${fileOf(error)} 没有完整收到：${error.found ?? "?"} / ${error.expected ?? "?"} 字节。`,
      next: `该文件没有使用。请重试。${tellStaff}`,
    }),
    stalled: (error) => ({
      title: `${fileOf(error)} 的传输中断了。`,
      next: "请检查网络连接后重试：已收到的部分会保留，只获取其余部分。",
    }),
    "storage-full": (error) => ({
      title: `浏览器存储空间不足：需要 ${megabytes(error.expected)} MB，可用 ${megabytes(error.found)} MB。`,
      next: "请在此处或其他网站的存储中删除不需要的内容，或选用更小的模型。",
    }),
    "wrong-hash": (error) => ({
      title: `${fileOf(error)} 不是为本课程构建的文件。`,
      next: `其 SHA-256 不符，因此没有使用。请重新加载页面。${tellStaff}`,
    }),
    "not-listed": (error) => ({ title: `${fileOf(error)} 不属于本网站的索引。`, next: buildAgain }),
    "manifest-format": (error) => ({
      title: `无法读取 ${fileOf(error)}。`,
      next: `${buildAgain}（${error.message}）`,
    }),
    "file-format": (error) => ({
      title: `无法读取 ${fileOf(error)}。`,
      next: `${buildAgain}（${error.message}）`,
    }),
    "page-outdated": () => ({
      title: "本页面比课程的索引旧。",
      next: "网站刚刚更新：请重新加载页面。",
    }),
    "schema-version": () => ({ title: "索引与页面的版本不同。", next: oneVersion }),
    "tokenizer-mismatch": () => ({ title: "索引的分词方式与本页面不同。", next: oneVersion }),
    "model-unsupported": (error) => ({ title: "此索引的编码器无法在这里运行。", next: error.message }),
    "gate-stale": (error) => ({
      title: "闸门是为另一个索引校准的。",
      next: `${buildAgain}（${error.message}）`,
    }),
    "encoder-start": (error) => ({
      title: "编码器没有启动。",
      next: `它需要 WebAssembly 和约 200 MB 可用内存：请关闭其他标签页或换用其他浏览器。（${error.message}）`,
    }),
    "probe-mismatch": (error) => ({
      title: "编码器在这里算出的向量与构建网站时不同。",
      next: `其结果会出错，因此语义检索保持关闭。换用其他浏览器也许可以。（${error.message}）`,
    }),
    "cross-encoder-start": (error) => ({
      title: "交叉编码器没有启动。",
      next: `它需要 WebAssembly 和可用内存：请关闭其他标签页，或继续使用延迟交互。（${error.message}）`,
    }),
    "probe-score": (error) => ({
      title: "交叉编码器在这里的打分与构建网站时不同。",
      next: `其排序会出错，因此继续使用延迟交互。换用其他浏览器也许可以。（${error.message}）`,
    }),
    "worker-start": () => ({
      title: "这里只能进行关键词检索。",
      next: "浏览器拒绝了页面的 worker；没有它，语义检索会卡住页面。请重新加载页面，或换用其他浏览器。",
    }),
    "engine-unavailable": (error) => ({ title: "此模型无法在这里运行。", next: error.message }),
    "engine-start": (error) => ({
      title: "模型没有启动。",
      next: `它需要的内存可能超过现有内存：请关闭其他标签页，或选择更小的模型。（${error.message}）`,
    }),
    "engine-context": () => ({
      title: "问题及其段落超过了此模型能读的长度。",
      next: "请提更短的问题，或选择能读更多内容的模型。",
    }),
    "engine-lost": (error) => ({
      title: "模型在运行中停止了。",
      next: `浏览器可能需要它占用的内存。请重试，或选择更小的、或在处理器上运行的模型。（${error.message}）`,
    }),
    "address-invalid": (error) =>
      error.found === "policy"
        ? {
            title: `本网站不允许页面访问 ${error.file ?? "该地址"}。`,
            next: "只允许这台电脑上的地址（http://localhost 或 http://127.0.0.1）以及任课教师添加的地址。",
          }
        : { title: "这不是一个地址。", next: "请填写类似 http://localhost:11434/v1 的地址。" },
    "address-unreachable": (error) => ({
      title: `${error.file ?? "该地址"} 没有本页面可以读取的响应。`,
      next: `请检查程序是否在运行，以及是否接受来自 ${globalThis.location?.origin ?? "本网站"} 的请求（Ollama：OLLAMA_ORIGINS；LM Studio：“Enable CORS”；llama.cpp 默认接受）。`,
    }),
    "address-refused": (error) => ({
      title: `${error.file ?? "该地址"} 需要密钥。`,
      next: "请填写启动该程序时设定的密钥。",
    }),
    "address-missing": (error) => ({
      title: `${error.file ?? "该地址"} 没有所请求的内容。`,
      next: `请检查地址的结尾（多数程序要求 /v1）以及模型。（${error.found ?? ""}）`,
    }),
    "address-status": (error) => ({
      title: `${error.file ?? "该地址"} 返回了错误。`,
      next: error.found ?? "",
    }),
    "address-protocol": (error) => ({
      title: `${error.file ?? "该地址"} 的响应不符合协议。`,
      next: `程序必须支持 OpenAI 的 chat completions 协议，并支持流式输出。（${error.found ?? ""}）`,
    }),
    unexpected: (error) => ({ title: "发生了意外错误。", next: `请重新加载页面。（${error.message}）` }),
  },
};
