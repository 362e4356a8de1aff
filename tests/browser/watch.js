// Runs in every page of a test before the app does: it knows when the app has settled, `capeval.settled(ms)`.
//
// "Script state: not running" alone is no sign of that. An act's rerun leaves the browser a moment after the act, and
// starts a moment after it has arrived; meanwhile the page looks idle. So: wait until the browser itself is calm (no
// timer of its own running, nothing loading, two frames without a change), ask the server to answer once it has
// settled (server.py), wait for calm again, and start over if the browser asked for another run meanwhile.
// `capeval.still(ms)` is the same before an act or a look: where nothing at all has happened since the page last
// settled (no input, message, request, timer or change), it has still settled and is not asked again.
(() => {
  const RERUN = 0x5a; // first byte of a message to the server that asks for a run: field 11, a message
  const QUESTION = [0x9a, 0x01]; // field 19, a message: a backend operation
  const SOON = 1000; // ms; a timer that fires later waits for nothing that was done just now
  const watch = {
    runs: 0, asked: 0, answered: 0, loading: 0, changes: 0, timers: new Set(), roots: [], socket: null,
    events: 0, rest: null, // all that has happened so far, and how much of it had when the page last settled
  };
  const setTimer = window.setTimeout, clearTimer = window.clearTimeout;

  const happened = () => { watch.events += 1; };
  const INPUT = [
    "pointerdown", "pointerup", "pointermove", "wheel", "keydown", "keyup", "beforeinput", "input", "change", "paste",
    "drop", "focus", "blur", "scroll", "resize", "popstate", "hashchange", "visibilitychange",
  ];
  INPUT.forEach((kind) => window.addEventListener(kind, happened, { capture: true, passive: true }));

  window.WebSocket = class extends window.WebSocket {
    constructor(...args) {
      super(...args);
      watch.socket = this;
      this.addEventListener("close", happened);
      this.addEventListener("message", (event) => {
        const text = event.data.byteLength > 200 ? "" : String.fromCharCode(...new Uint8Array(event.data));
        const found = /settled (\d+)\?/.exec(text);
        if (found) watch.answered = Number(found[1]);
        else happened();
      });
    }
    send(data) {
      if (new Uint8Array(data.buffer || data, data.byteOffset || 0, 1)[0] === RERUN) watch.runs += 1;
      happened();
      super.send(data);
    }
  };

  window.setTimeout = (work, ms, ...args) => {
    const timer = setTimer(() => {
      watch.timers.delete(timer);
      happened();
      if (typeof work === "function") work(...args);
    }, ms);
    if (!(ms > SOON)) watch.timers.add(timer);
    return timer;
  };
  window.clearTimeout = (timer) => { watch.timers.delete(timer); clearTimer(timer); };

  const fetched = window.fetch;
  window.fetch = (...args) => {
    watch.loading += 1;
    happened();
    return fetched(...args).finally(() => { watch.loading -= 1; });
  };
  const send = XMLHttpRequest.prototype.send;
  XMLHttpRequest.prototype.send = function (...args) {
    watch.loading += 1;
    happened();
    this.addEventListener("loadend", () => { watch.loading -= 1; });
    return send.apply(this, args);
  };

  // Our components live in shadow roots, where a search of the document does not look.
  const observer = new MutationObserver(() => { watch.changes += 1; happened(); });
  const observe = (root) => observer.observe(root, { childList: true, characterData: true, subtree: true });
  const attach = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (...args) {
    const root = attach.apply(this, args);
    watch.roots.push(root);
    observe(root);
    return root;
  };
  observe(document);

  const some = (selector) =>
    document.querySelector(selector) || watch.roots.some((root) => root.isConnected && root.querySelector(selector));

  // What the page waits for, in words; nothing when it is calm.
  const busy = (pending) => {
    const app = document.querySelector("[data-testid=stApp]");
    if (!app || app.dataset.testConnectionState !== "CONNECTED") return "the connection";
    if (app.dataset.testScriptState !== "notRunning") return "the script";
    if (watch.loading) return "a request";
    if (watch.timers.size) return "a timer of the page";
    if (document.querySelector("[data-stale=true]")) return "elements of the run before to go";
    if (document.querySelector("[data-testid=stSkeleton]")) return "an element to be drawn";
    if (pending && some("[data-pending=yes]")) return "background work";
    return "";
  };

  const frame = () => new Promise((go) => requestAnimationFrame(() => setTimer(go, 0)));

  // What a visitor can touch now: marked with a number, so that a test finds it again.
  const KINDS = {
    file: "input[type=file]",
    option: "[role=option]",
    slider: "[role=slider], input[type=range]",
    number: "input[type=number]",
    combobox: "[role=combobox]",
    edit: "[contenteditable]:not([contenteditable=false])",
    textbox: "textarea, input[type=text]:not([role=combobox])",
    checkbox: "input[type=checkbox]",
    radio: "[role=radio], input[type=radio]",
    link: "[data-testid=stTopNavLink], [data-testid=stSidebarNavLink]",
    cell: "td[role=gridcell][data-key]",
    point: ".js-plotly-plot .point, .js-plotly-plot .points path",
    button: "button, [role=button]",
  };
  const MOST = 12; // of a kind: points and cells are many, and much alike

  const named = (node) =>
    (node.getAttribute("aria-label") || node.title || node.placeholder || node.innerText || node.value || "").trim().slice(0, 60);

  const reachable = (node) => {
    if (node.disabled || node.closest("[inert]") || !node.checkVisibility({ visibilityProperty: true })) return false;
    const box = node.getBoundingClientRect();
    if (!box.width || !box.height) return false;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return true; // to be scrolled to
    const top = node.getRootNode().elementFromPoint(x, y);
    return !!top && (node.contains(top) || top.contains(node) || !!node.closest("label")?.contains(top));
  };

  const controls = () => {
    const found = [], taken = new Set(), times = {};
    for (const root of [document, ...watch.roots.filter((one) => one.isConnected)]) {
      for (const [kind, selector] of Object.entries(KINDS)) {
        const nodes = [...root.querySelectorAll(selector)].filter((node) => !taken.has(node));
        nodes.forEach((node) => taken.add(node));
        for (const node of nodes.filter((one) => kind === "file" || reachable(one)).slice(0, MOST)) {
          const name = named(node), same = (times[kind + name] = (times[kind + name] || 0) + 1);
          node.setAttribute("data-walk", found.length);
          found.push({
            number: found.length, kind, name: same > 1 ? `${name} #${same}` : name,
            accepts: node.accept || "", several: !!node.multiple,
          });
        }
      }
    }
    return found;
  };
  const marks = () => [document, ...watch.roots].forEach((root) =>
    root.querySelectorAll("[data-walk]").forEach((node) => node.removeAttribute("data-walk")));

  window.capeval = {
    controls: () => { marks(); return controls(); },
    overflow: () => Math.max(...[document.documentElement, document.querySelector("[data-testid=stMain]")]
      .filter(Boolean).map((one) => one.scrollWidth - one.clientWidth)),
    focused: () => {
      let found = document.activeElement;
      while (found?.shadowRoot?.activeElement) found = found.shadowRoot.activeElement;
      if (!found) return "";
      return found.getAttribute("aria-label") || (found.matches("button") ? found.innerText : found.className);
    },
    roots: () => watch.roots.filter((root) => root.isConnected),
    settled: async (patience, pending = true) => {
      const end = performance.now() + patience;
      let waits = "";
      const step = async () => {
        if (performance.now() > end) throw new Error(`not settled after ${patience} ms: waits for ${waits}`);
        await frame();
      };
      const calm = async () => {
        for (let still = 0; still < 2; ) {
          const before = watch.changes + watch.runs;
          await step();
          waits = busy(pending) || "changes of the page to end";
          still = busy(pending) || watch.changes + watch.runs !== before ? 0 : still + 1;
        }
      };
      for (;;) {
        await calm();
        const runs = watch.runs, question = `settled ${(watch.asked += 1)}?`;
        const bytes = [...question].map((sign) => sign.charCodeAt(0));
        watch.socket.send(new Uint8Array([...QUESTION, bytes.length + 2, 0x0a, bytes.length, ...bytes]));
        waits = "the server's answer";
        while (watch.answered < watch.asked && watch.runs === runs) await step();
        await calm();
        if (watch.runs === runs) {
          watch.rest = watch.events;
          return;
        }
      }
    },
    still: async (patience, pending = true) => {
      await frame();
      if (watch.rest !== watch.events || busy(pending)) await capeval.settled(patience, pending);
    },
  };
})();
