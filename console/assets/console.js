// What the pages gain by JavaScript: keys, local times, live views, and no form that is sent twice
// or by a press that was meant for the page before. Without it every page works.

const language = document.documentElement.lang === 'ar' ? 'ar-u-nu-latn' : 'en-GB';
const dateStyle = language === 'en-GB' ? 'medium' : 'long';
const localTime = new Intl.DateTimeFormat(language, { dateStyle, timeStyle: 'short' });
// An operator who has chosen a time zone gets every time in it.
const hasZone = document.body.dataset.zone !== undefined;
function showLocalTimes(root) {
  if (hasZone) return;
  for (const time of root.querySelectorAll('time[datetime]')) {
    time.title = time.textContent;
    time.textContent = localTime.format(new Date(time.dateTime));
  }
}
showLocalTimes(document);
if (!hasZone)
  document.querySelector('#zone')?.replaceChildren(localTime.resolvedOptions().timeZone);

const rowsOf = (root) => [...root.querySelectorAll('tr[data-row]')];
const currentRow = () => document.querySelector('tr[aria-selected="true"]');

let markedAt = 0;
/**
 * Marks the row that is `steps` after the marked one; a negative number goes back. If that one is
 * no longer in a live view, marks the one at its position.
 */
function move(steps) {
  const rows = rowsOf(document);
  if (rows.length === 0) return;
  const from = rows.indexOf(currentRow());
  const to = from === -1 ? markedAt : from + steps;
  markedAt = Math.min(rows.length - 1, Math.max(0, to));
  for (const row of rows) row.removeAttribute('aria-selected');
  const row = rows[markedAt];
  row.ariaSelected = 'true';
  row.scrollIntoView({ block: 'nearest' });
  row.querySelector('a')?.focus({ preventScroll: true });
}

/**
 * The forms that decide are locked until the page has been shown for a moment and every key is up:
 * a press that was meant for the previous page decides nothing here. They are also locked while
 * another page or the response to a form is on its way: a press may be meant for the next page.
 */
const shownMs = 400;
// Later than the gateway answers any request, for a browser that does not say what was stopped.
const answeredMsMax = 30_000;
const { dataset } = document.documentElement;
const held = new Set();
let isShown = false;
let shownTimer;
function unlockOnceShown() {
  if (!isShown || held.size > 0) return;
  delete dataset.locked;
  delete dataset.refused;
  document.querySelector('main')?.removeAttribute('aria-busy');
  document.querySelector('#locked')?.replaceChildren();
}
/** Unlocks the forms of a page that stays, because nothing is on its way any more. */
function unlockStaying() {
  isShown = true;
  unlockOnceShown();
}
function unlockAfter(ms) {
  isShown = false;
  clearTimeout(shownTimer);
  shownTimer = setTimeout(unlockStaying, ms);
}
function lockForms(reason) {
  dataset.locked = reason;
  document.querySelector('main')?.setAttribute('aria-busy', 'true');
  const status = document.querySelector('#locked');
  status?.replaceChildren(status.dataset[reason]);
  unlockAfter(answeredMsMax);
}
/** Locks the forms of a page that is shown now, also of one that the browser shows again. */
function lockUntilShown() {
  lockForms('loading');
  requestAnimationFrame(() => unlockAfter(shownMs));
}
lockUntilShown();
window.addEventListener('pageshow', ({ persisted }) => persisted && lockUntilShown());
// The next page gets the event of a key that is down now.
window.addEventListener('pagehide', () => held.clear());
window.navigation?.addEventListener('navigate', ({ destination, formData }) => {
  // A file leaves the page as it is, which not every browser says.
  if (destination.sameDocument || destination.url.includes('csv=true')) return;
  lockForms(formData === null ? 'loading' : 'sending');
});
window.navigation?.addEventListener('navigateerror', unlockStaying);

const typedInto = 'input:not([type="checkbox"], [type="radio"]), textarea, select, dialog';
/** The forms that have a field which was edited on this page: their operator has seen it. */
const edited = new WeakSet();
document.addEventListener('input', ({ target }) => {
  if (target.form && target.matches(typedInto)) edited.add(target.form);
});

/** Whether a form must not be sent now. One that decides nothing waits only for one on its way. */
function isLocked(form) {
  if (dataset.locked !== 'loading') return dataset.locked !== undefined;
  return form.matches('main:not(.alone) form') && !edited.has(form);
}

document.addEventListener('submit', (event) => {
  if (event.target.method !== 'post') return;
  if (!isLocked(event.target)) return lockForms('sending');
  event.preventDefault();
  dataset.refused = '';
});

const withKey = (key) => `[data-key="${CSS.escape(key)}"]`;

/** Presses what has the key: a link, a button, a choice, or a form that opens. */
function press(key) {
  const selector = withKey(key);
  // A form that is open has the keys; another form may open instead.
  const open = document.querySelector('details.reason[open]');
  const target =
    open?.querySelector(`form ${selector}`) ??
    document.querySelector(open === null ? selector : `summary${selector}`);
  if (target === null) return false;
  const details = target.closest('details');
  if (dataset.locked !== undefined) dataset.refused = '';
  else if (target.localName !== 'summary' || details === null) {
    target.click();
    if (open !== null && target.localName === 'input') target.focus();
  } else {
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

// Without this module, links choose.
for (const candidate of document.querySelectorAll('[name="variant"]')) candidate.disabled = false;
/** Shows the offer beside the candidate that is chosen, which is the one that is sent. */
function showChosen() {
  const chosen = document.querySelector('input[name="variant"]:checked');
  const table = chosen && document.querySelector(`template[data-beside="${chosen.value}"]`);
  if (!table) return;
  const beside = table.content.cloneNode(true);
  showLocalTimes(beside);
  document.querySelector('#beside').replaceChildren(beside);
}
document.addEventListener('change', showChosen);
window.addEventListener('pageshow', showChosen);
// The candidate stays chosen on the page that another form of the page leads to.
document.addEventListener('formdata', ({ target, formData }) => {
  const chosen = document.querySelector('input[name="variant"]:checked');
  if (chosen && target.closest('main')) formData.set('variant', chosen.value);
});

const keys = {
  j: () => move(1),
  k: () => move(-1),
  x: () => currentRow()?.querySelector('input[type="checkbox"]')?.click(),
  Enter: () => currentRow()?.querySelector('a')?.click(),
  '/': () => document.querySelector('main input[type="search"]')?.focus(),
  f: () => document.querySelector('#find')?.focus(),
  '?': () => document.querySelector('#keys')?.showModal(),
};

document.querySelector('#show-keys')?.addEventListener('click', keys['?']);

/**
 * The key; in another script, such as Arabic, the Latin key at the same position. Empty for an event
 * without a key, and for a letter under Caps Lock, which may mean another one.
 */
function keyOf({ key = '', code = '', shiftKey, ...event }) {
  if (event.isCapsLocked && /\p{Letter}/u.test(key) && !/^\w{2,}$/.test(key)) return '';
  if (key <= '~' || /\p{Script=Latin}/u.test(key)) return key;
  if (code === 'Slash') return shiftKey ? '?' : '/';
  return shiftKey ? '' : code.replace(/^(?:Key|Digit|Numpad)/, '').toLowerCase();
}

document.addEventListener('keydown', (event) => {
  const target = event.target instanceof Element ? event.target : document.body;
  // A browser that fills a form in sends events without a key.
  if (!(event instanceof KeyboardEvent)) return;
  if (event.isTrusted) held.add(event.code);
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // 229: an input method takes the key.
  if (event.isComposing || event.keyCode === 229) return;
  const { key: given, code, shiftKey, repeat } = event;
  const key = keyOf({
    key: given,
    code,
    shiftKey,
    isCapsLocked: event.getModifierState('CapsLock'),
  });
  if (key === 'Escape') {
    const details = target.closest('details.reason[open]');
    if (details === null) return target.blur?.();
    details.open = false;
    // The field with the focus is hidden now.
    return details.querySelector('summary').focus();
  }
  // A held Enter would press again and again what has the focus.
  if (repeat && key === 'Enter' && !target.matches('textarea')) event.preventDefault();
  // Beside recent reasons, a character that chooses none begins a reason of the operator's own.
  const isTyped = !repeat && /^\S$/u.test(given) && target.name === 'recent';
  if (isTyped && target.form.querySelector(withKey(key)) === null)
    return target.form.querySelector('textarea').focus();
  if (key === '' || target.closest(typedInto) !== null || document.body.dataset.keys === 'off')
    return;
  if (repeat && key !== 'j' && key !== 'k') return;
  // Enter presses what has the focus, or sends its form.
  if (key === 'Enter' && target.closest('a, button, summary, input') !== null) return;
  if (Object.hasOwn(keys, key)) keys[key]();
  else if (!press(key)) return;
  event.preventDefault();
});
document.addEventListener('keyup', ({ code, key }) => {
  // While Meta is down, some systems report no other key that comes up.
  if (key === 'Meta') held.clear();
  held.delete(code);
  unlockOnceShown();
});
window.addEventListener('blur', () => {
  held.clear();
  unlockOnceShown();
});

/** The fields of a part; boxes of rows stay ticked in a new part, and a bar keeps the focus. */
const fields =
  ':is(input:not([data-row] *, [data-check-all] *, .points *), select, textarea, button)';
/** Whether the operator edits something in the page. */
const isEdited = (main) =>
  main.querySelector(`details[open], ${fields}:focus`) !== null ||
  [...main.querySelectorAll(`input${fields}`)].some(
    ({ type, checked, defaultChecked, value, defaultValue }) =>
      checked !== defaultChecked || (type === 'search' && value !== defaultValue),
  ) ||
  [...main.querySelectorAll('select')].some(
    (select) => (select.querySelector('[selected]') ?? select.options[0])?.selected === false,
  );

/** The bars of a plot, or what opens and closes. The index of one names it: it has no value. */
const alike = (main, one) =>
  [...main.querySelectorAll('.points input, summary')].filter(({ name }) => name === one?.name);

/** Shows the part of a live view as it is now; the marked row and the focus stay. */
function replacePart(main, part) {
  const marked = currentRow()?.querySelector('a')?.pathname;
  const focused = main.contains(document.activeElement) ? document.activeElement : null;
  const ticked = new Set(
    [...main.querySelectorAll('[data-row] :checked')].map(({ value }) => value),
  );
  showLocalTimes(part);
  for (const row of rowsOf(part))
    if (row.querySelector('a')?.pathname === marked) row.ariaSelected = 'true';
  for (const box of part.querySelectorAll('[data-row] [type="checkbox"]'))
    if (ticked.has(box.value)) box.checked = true;
  const at = alike(main, focused).indexOf(focused);
  main.replaceChildren(...part.childNodes);
  if (focused === null) return;
  // The result of a form has neither an address nor a value.
  const links = [...main.querySelectorAll('a, [data-row] input, .result')];
  const again =
    alike(main, focused)[at] ??
    links.find(({ href, value }) => (href ?? value) === (focused.href ?? focused.value)) ??
    links.find(({ pathname }) => pathname !== undefined && pathname === focused.pathname);
  if (at >= 0 && again !== undefined) again.checked = focused.checked;
  again?.focus({ preventScroll: true });
}

/** Shows the time of the data of a live view, and whether the gateway gives no more of it. */
function showAge(readAt, isLost) {
  const status = document.querySelector('#live');
  if (status === null) return;
  const form = { timeStyle: 'medium', timeZone: document.body.dataset.zone };
  const time = new Intl.DateTimeFormat(language, form).format(readAt);
  status.textContent = `${isLost ? status.dataset.lost : status.dataset.at} ${time}`;
  status.role = isLost ? 'alert' : 'none';
}

/** Reads a live view again every few seconds while it is visible and nobody edits it. */
async function keepLive(view) {
  const { live, every = 5000 } = view.dataset;
  let etag = '';
  let readAt = new Date();
  showAge(readAt, false);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, Number(every)));
    if (document.visibilityState !== 'visible' || isEdited(view)) continue;
    // Each page has a form to sign out. A page of an earlier version names no operator.
    const shownTo = document.querySelector('[name="shownTo"]')?.value ?? '';
    const headers = { 'x-live': 'true', 'x-shown-to': shownTo, 'if-none-match': etag };
    const url = live || location.href;
    const signal = AbortSignal.timeout(answeredMsMax);
    // The connection may also be lost in the middle of a response.
    const [response, text] = await fetch(url, { headers, cache: 'no-store', signal })
      .then(async (received) => [received, await received.text()])
      .catch(() => []);
    // The session has ended, or is another operator's. Beside a part, something may be typed: the
    // page only says so.
    if (response?.redirected && view.localName === 'main') return location.reload();
    const isLost = response?.redirected || (!response?.ok && response?.status !== 304);
    if (!isLost) readAt = new Date();
    showAge(readAt, isLost);
    if (isLost || response.status !== 200) continue;
    const part = new DOMParser().parseFromString(text, 'text/html').getElementById(view.id);
    if (part === null || isEdited(view)) continue;
    etag = response.headers.get('etag');
    replacePart(view, part);
    // What the view shows has ended.
    if (part.dataset.live === undefined) return;
  }
}
for (const view of document.querySelectorAll('[data-live]')) void keepLive(view);
