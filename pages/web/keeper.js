// Stands on every page and shows nothing while all is well. The address leads back to the visitor's work; when the
// server is gone the page says so, and when it is back it goes on: Streamlit itself would wait for a click, and forget it.
const LATE = 800; // ms without a connection before it is said: a short break is no news
const SOON = 100; // ms: Streamlit has taken over the machine's colours by then
const CONNECTION = "data-test-connection-state", SCRIPT = "data-test-script-state"; // Streamlit's, on its root

export default function (component) {
  const watch = (window.capevalWatch = window.capevalWatch || begun());
  watch.component = component;
  watch.data = JSON.parse(component.data.packed);
  lead(watch);
}

function begun() {
  const watch = { data: null, component: null, late: null, away: false, back: 0 };
  // Whatever address Streamlit goes to carries the session's id along. The id alone is no step to go back to.
  for (const name of ["pushState", "replaceState"]) {
    const go = history[name].bind(history), stay = history.replaceState.bind(history);
    history[name] = (state, title, url) => {
      const full = carried(watch, url === undefined || url === null ? location.href : url);
      (bare(watch, full) === bare(watch, location.href) ? stay : go)(state, title, full);
    };
  }
  window.addEventListener("popstate", () => lead(watch));
  window.addEventListener("keydown", take);
  // Streamlit turns dark at once when the machine does; what we draw has its colours from the server, by a run.
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => setTimeout(() => run(watch), SOON));
  new MutationObserver(() => look(watch)).observe(document.body, { subtree: true, attributeFilter: [CONNECTION, SCRIPT] });
  return watch;
}

// Ctrl+Z and Ctrl+Shift+Z press Inspect's buttons; in a field they belong to the text.
function take(event) {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== "z") return;
  const place = event.composedPath()[0];
  if (place.isContentEditable || (place.matches && place.matches("textarea, input:not([type=checkbox], [type=radio])"))) return;
  const button = document.querySelector(`.st-key-${event.shiftKey ? "redo" : "undo"} button`);
  if (!button || button.disabled) return;
  event.preventDefault();
  button.click();
}

function carried(watch, url) {
  const full = new URL(url, location.href);
  const { parameter, session } = watch.data;
  if ((full.searchParams.get(parameter) || "") === session) return full.href;
  if (session) full.searchParams.set(parameter, session);
  else full.searchParams.delete(parameter);
  return full.href;
}

function bare(watch, url) {
  const full = new URL(url);
  full.searchParams.delete(watch.data.parameter);
  return full.href;
}

// Of the whole page.
function run(watch) {
  watch.component.setStateValue("events", [Date.now()]);
}

function lead(watch) {
  if (carried(watch, location.href) !== location.href) history.replaceState(history.state, "", location.href);
}

function look(watch) {
  const app = document.querySelector(`[${CONNECTION}]`);
  if (!app) return;
  const there = app.getAttribute(CONNECTION) === "CONNECTED", script = app.getAttribute(SCRIPT);
  if (!there && !watch.away) {
    watch.away = true;
    watch.late = setTimeout(() => say(watch.data.gone), LATE);
  } else if (there && watch.away) {
    watch.away = false;
    clearTimeout(watch.late);
    say("");
    watch.back = 1;
    run(watch); // also on a server that is new
  } else if (there && watch.back === 1 && script === "running") {
    watch.back = 2;
  } else if (there && watch.back === 2 && script === "notRunning") {
    watch.back = 0;
    window.dispatchEvent(new Event("capeval-back"));
  }
}

// In our words, in front of everything; Streamlit's own dialog would speak of Streamlit.
function say(words) {
  const old = document.getElementById("capeval-gone");
  if (old) old.remove();
  if (!words) return;
  const bar = document.createElement("div");
  bar.id = "capeval-gone";
  bar.setAttribute("role", "alert");
  bar.textContent = words;
  bar.style.cssText = "position:fixed;top:0;left:0;right:0;z-index:1000001;padding:.7rem 1rem;text-align:center;"
    + "font:600 15px/1.35 'CapEval Sans',sans-serif;background:#fff3cd;color:#4a3600;border-bottom:2px solid #d9a400";
  const style = document.createElement("style");
  style.textContent = "[data-testid=stDialog] { display: none !important; }";
  bar.append(style);
  document.body.append(bar);
}
