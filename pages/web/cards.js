// Captions as cards, a page of them at a time. Up and Down walk through the cards and on to the next page, Enter opens one.
export default function (component) {
  const memo = begin(component, build);
  const { data } = memo;
  const drawn = JSON.stringify([data.rows, data.first, data.count, data.palette]);
  if (drawn !== memo.drawn) {
    memo.drawn = drawn;
    memo.list.replaceChildren(...data.rows.map((row) => cardNode(memo, row)));
    page(memo);
    mark(memo, memo.walked ? (memo.walked > 0 ? 0 : -1) : placeOf(memo, data.at), Boolean(memo.walked));
    if (memo.fresh && data.at >= 0) memo.cards[memo.place]?.scrollIntoView({ block: "center" });
    memo.walked = 0;
    memo.fresh = false;
  }
  document.addEventListener("keydown", memo.keys);
  return () => document.removeEventListener("keydown", memo.keys);
}

function build(host) {
  const memo = { host, fresh: true, walked: 0, place: 0, cards: [] };
  memo.keys = (event) => pressed(memo, event);
  memo.list = el("div", "cards");
  memo.list.setAttribute("role", "list");
  memo.list.setAttribute("aria-label", "captions");
  memo.back = turner(memo, "‹", "Previous page", -1);
  memo.next = turner(memo, "›", "Next page", 1);
  memo.where = el("span", "where");
  const bar = el("div", "pager");
  bar.append(memo.back, memo.next, memo.where, el("span", "hint", "↑ ↓ walk, ← → turn pages, Enter opens"));
  host.append(bar, memo.list);
  return memo;
}

function turner(memo, sign, name, step) {
  const button = el("button", "turn", sign);
  button.title = name;
  button.setAttribute("aria-label", name);
  button.onclick = () => turn(memo, step);
  return button;
}

const pageOf = (data) => Math.floor((data.first - 1) / data.size);
const pages = (data) => Math.max(1, Math.ceil(data.count / data.size));

function turn(memo, step, walked = 0) {
  const wanted = pageOf(memo.data) + step;
  if (wanted < 0 || wanted >= pages(memo.data)) return;
  memo.walked = walked;
  send(memo, memo.component, { op: "page", id: wanted });
}

function page(memo) {
  const { data } = memo;
  memo.back.disabled = pageOf(data) === 0;
  memo.next.disabled = pageOf(data) >= pages(data) - 1;
  const last = data.first + data.rows.length - 1;
  const number = (count) => count.toLocaleString("en");
  memo.where.textContent = data.count ? `${number(data.first)} to ${number(last)} of ${number(data.count)} captions` : "no captions";
}

const placeOf = (memo, row) => Math.max(0, memo.data.rows.findIndex((one) => one.id === row));

function mark(memo, place, focus) {
  memo.cards = [...memo.list.children];
  memo.place = place < 0 ? memo.cards.length - 1 : place;
  memo.cards.forEach((card, number) => {
    card.classList.toggle("now", number === memo.place);
    card.tabIndex = number === memo.place ? 0 : -1;
  });
  if (focus) memo.cards[memo.place]?.focus();
}

// Only where nothing else on the page has the keys: a slider and a list have arrows of their own.
function ours(memo, event) {
  const [at] = event.composedPath();
  return event.composedPath().includes(memo.list) ? !/^(BUTTON|A)$/.test(at.tagName) || event.key !== "Enter" : at === document.body;
}

function pressed(memo, event) {
  if (event.ctrlKey || event.altKey || event.metaKey || !memo.cards.length || !memo.host.isConnected || !ours(memo, event)) return;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key], jump = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step) {
    const next = memo.place + step;
    if (next < 0 || next >= memo.cards.length) turn(memo, step, step);
    else mark(memo, next, true);
  } else if (jump) turn(memo, jump, 1);
  else if (event.key === "Enter") open(memo, memo.data.rows[memo.place].id);
  else return;
  event.preventDefault();
}

function open(memo, row) {
  send(memo, memo.component, { op: "open", id: row });
}

function cardNode(memo, row) {
  const card = el("article", "card");
  card.setAttribute("role", "listitem");
  card.dataset.row = row.id;
  card.onclick = (event) => { if (event.target.closest(".chip, .text") === null) mark(memo, memo.cards.indexOf(card), false); };
  const picture = el("div", "thumb");
  if (row.thumb) {
    const image = el("img");
    image.src = row.thumb;
    image.alt = `image ${row.image}`;
    image.loading = "lazy";
    picture.append(image);
  }
  const words = el("div", "words");
  if (row.note) words.append(el("p", "why", row.note));
  words.append(caption(memo, row, Boolean(row.beside)));
  if (row.beside) words.append(caption(memo, row.beside, true));
  if (row.reference) words.append(reference(row.reference));
  if (row.more) words.append(el("p", "more", row.more));
  const about = el("div", "about");
  about.append(...row.scores.map(score), el("span", "image", row.image));
  if (row.thumb) card.append(picture);
  card.append(words, about);
  return card;
}

function caption(memo, one, named) {
  const part = el("div", "said");
  const text = el("button", "text");
  text.dir = "auto";
  text.title = "open in Inspect";
  if (named) part.append(el("span", "system", one.system));
  text.append(...pieces(one.pieces));
  text.onclick = () => open(memo, one.id);
  part.append(text);
  if (one.chips.length) {
    const row = el("div", "chips");
    row.append(...one.chips.map((chip) => {
      const button = el("button", "chip", chip.label);
      button.title = `${chip.tip}\nshow only captions with this error`;
      button.onclick = () => send(memo, memo.component, { op: "kind", id: chip.kind });
      return button;
    }));
    part.append(row);
  } else if (named) part.append(el("div", "none", "no error found"));
  return part;
}

function pieces(parts) {
  return parts.map(([text, kind, hint]) => {
    if (kind === "neutral") return document.createTextNode(text);
    const marked = el("mark", kind, text);
    marked.title = hint;
    return marked;
  });
}

function reference(parts) {
  const line = el("p", "reference");
  line.dir = "auto";
  line.append(el("span", "label", "a person: "), ...pieces(parts));
  return line;
}

function score(one) {
  const line = el("span", `score ${one.end}`);
  line.title = one.tip;
  line.append(el("i", "", one.label), document.createTextNode(` ${one.value}${{ low: " ↓", high: " ↑" }[one.end] || ""}`));
  return line;
}
