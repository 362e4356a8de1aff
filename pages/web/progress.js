// A bar, what is being done, and a button that stops it.
export default function (component) {
  const memo = begin(component, build);
  memo.fill.style.width = 100 * memo.data.share + "%";
  memo.cancel.hidden = !memo.data.cancel;
  return follow(memo, 3000);
}

function build(host) {
  const memo = { host };
  const line = el("div", "progress");
  const bar = el("div", "bar");
  memo.fill = el("b");
  bar.append(memo.fill);
  memo.status = el("span", "status");
  memo.status.setAttribute("role", "status");
  memo.cancel = el("button", "cancel", "Cancel");
  memo.cancel.onclick = () => send(memo, memo.component, { op: "cancel" });
  line.append(memo.status, bar, memo.cancel);
  host.append(line);
  return memo;
}
