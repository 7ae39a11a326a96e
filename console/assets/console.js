// What the pages gain by JavaScript: keys, local times, live views, and no form that is sent twice.
// Without it every page works.

const language = document.documentElement.lang === 'ar' ? 'ar-u-nu-latn' : 'en-GB';
const localTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
function showLocalTimes(root) {
  for (const time of root.querySelectorAll('time[datetime]')) {
    time.title = time.textContent;
    time.textContent = localTime.format(new Date(time.dateTime));
  }
}
showLocalTimes(document);

const rowsOf = (root) => [...root.querySelectorAll('tr[data-row]')];
const currentRow = () => document.querySelector('tr[aria-selected="true"]');

/** Marks the row by so many rows before or after the marked one. */
function move(steps) {
  const rows = rowsOf(document);
  if (rows.length === 0) return;
  const from = rows.indexOf(currentRow());
  const to = from === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, from + steps));
  for (const row of rows) row.removeAttribute('aria-selected');
  rows[to].ariaSelected = 'true';
  rows[to].scrollIntoView({ block: 'nearest' });
  rows[to].querySelector('a')?.focus({ preventScroll: true });
}

/** Presses what has the key: a link, a button, or a form that opens. */
function press(key) {
  const selector = `[data-key="${CSS.escape(key)}"]`;
  // A form that is open has the keys; another form may open instead.
  const open = document.querySelector('details.reason[open]');
  const target =
    open?.querySelector(`form ${selector}`) ??
    document.querySelector(open === null ? selector : `summary${selector}`);
  if (target === null) return false;
  const details = target.closest('details');
  if (target.localName !== 'summary' || details === null) {
    target.click();
    if (target.localName === 'input') target.focus();
  } else {
    for (const other of document.querySelectorAll('details.reason[open]'))
      if (other !== details) other.open = false;
    details.open = true;
    details.querySelector('input:not([type="hidden"]), textarea')?.focus();
  }
  return true;
}

document.addEventListener('change', ({ target }) => {
  if (target.closest('[data-check-all]') === null) return;
  for (const row of rowsOf(document))
    for (const box of row.querySelectorAll('[type="checkbox"]')) box.checked = target.checked;
});

const keys = {
  j: () => move(1),
  k: () => move(-1),
  x: () => currentRow()?.querySelector('input[type="checkbox"]')?.click(),
  Enter: () => currentRow()?.querySelector('a')?.click(),
  '/': () => document.querySelector('input[type="search"]')?.focus(),
  '?': () => document.querySelector('#keys')?.showModal(),
};

/** The key; in another script, such as Arabic, the Latin key at the same position. */
function keyOf({ key, code, shiftKey }) {
  if (key <= '~') return key;
  if (code === 'Slash') return shiftKey ? '?' : '/';
  return shiftKey ? key : code.replace(/^(?:Key|Digit|Numpad)/, '').toLowerCase();
}

const typedInto = 'input:not([type="checkbox"], [type="radio"]), textarea, select, dialog';

document.addEventListener('keydown', (event) => {
  const { target } = event;
  const key = keyOf(event);
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (key === 'Escape') {
    const details = target.closest('details.reason');
    if (details !== null) details.open = false;
    target.blur();
    return;
  }
  if (target.closest(typedInto) !== null) return;
  // Enter presses what has the focus, or sends its form.
  if (key === 'Enter' && target.closest('a, button, summary, input') !== null) return;
  if (Object.hasOwn(keys, key)) keys[key]();
  else if (!press(key)) return;
  event.preventDefault();
});

document.addEventListener('submit', (event) => {
  const form = event.target;
  if (form.method !== 'post') return;
  if (form.dataset.sent === 'true') event.preventDefault();
  form.dataset.sent = 'true';
});
// A page that the browser shows again may send its forms again.
window.addEventListener('pageshow', () => {
  for (const form of document.forms) delete form.dataset.sent;
});

/** Whether the operator edits something in the page. */
const isEdited = (main) =>
  main.querySelector('details[open], :is(input, select, textarea, button):focus') !== null ||
  [...main.querySelectorAll('input')].some(
    ({ type, checked, defaultChecked, value, defaultValue }) =>
      checked !== defaultChecked || (type === 'search' && value !== defaultValue),
  ) ||
  [...main.querySelectorAll('select')].some(
    (select) => (select.querySelector('[selected]') ?? select.options[0])?.selected === false,
  );

/** Shows the part of a live view as it is now; the marked row and the focus stay. */
function replacePart(main, part) {
  const marked = currentRow()?.querySelector('a')?.pathname;
  const focused = main.contains(document.activeElement) ? document.activeElement : null;
  showLocalTimes(part);
  for (const row of rowsOf(part))
    if (row.querySelector('a')?.pathname === marked) row.ariaSelected = 'true';
  main.replaceChildren(...part.childNodes);
  const links = [...main.querySelectorAll('a')];
  const again =
    links.find(({ href }) => href === focused?.href) ??
    links.find(({ pathname }) => pathname === focused?.pathname);
  again?.focus({ preventScroll: true });
}

/** Reads a live view again every few seconds while it is visible and nobody edits it. */
async function keepLive(main) {
  let etag = '';
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 5000));
    if (document.visibilityState !== 'visible' || isEdited(main)) continue;
    const headers = { 'x-live': 'true', 'if-none-match': etag };
    const answer = await fetch(location.href, { headers, cache: 'no-store' }).catch(() => null);
    // The session has ended.
    if (answer?.redirected) location.reload();
    if (answer?.status !== 200) continue;
    const text = await answer.text();
    const part = new DOMParser().parseFromString(text, 'text/html').querySelector('#main');
    if (part === null || isEdited(main)) continue;
    etag = answer.headers.get('etag');
    replacePart(main, part);
  }
}
const liveView = document.querySelector('main[data-live]');
if (liveView !== null) void keepLive(liveView);
