/** Adds a button that copies an example. A page that is no secure context has no clipboard. */
function addCopyButton(example) {
  const button = document.createElement('button');
  button.type = 'button';
  button.textContent = 'Copy';
  const copy = async () => {
    await navigator.clipboard.writeText(example.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2000);
  };
  button.addEventListener('click', () => void copy());
  example.prepend(button);
}

const groups = [];

/** Shows the language in every group that has it; the others keep theirs. */
function select(language) {
  for (const tabs of groups) {
    if (!tabs.some(({ tab }) => tab.textContent === language)) continue;
    for (const { tab, panel } of tabs) {
      const isSelected = tab.textContent === language;
      tab.setAttribute('aria-selected', String(isSelected));
      tab.tabIndex = isSelected ? 0 : -1;
      panel.hidden = !isSelected;
    }
  }
}

/** Selects for a reader, who keeps the position in the page though others change their height. */
function choose(tab) {
  const { top } = tab.getBoundingClientRect();
  select(tab.textContent);
  window.scrollBy(0, tab.getBoundingClientRect().top - top);
  localStorage.setItem('language', tab.textContent);
}

/** Turns blocks that are below one another into tabs, as the ARIA pattern of tabs describes. */
function addTabs(group, groupIndex) {
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language');
  const tabs = [...group.children].map((panel, index) => {
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.id = `tab-${groupIndex}-${index}`;
    tab.textContent = panel.dataset.tab;
    tab.setAttribute('role', 'tab');
    panel.id = `panel-${groupIndex}-${index}`;
    panel.setAttribute('role', 'tabpanel');
    panel.setAttribute('aria-labelledby', tab.id);
    tab.setAttribute('aria-controls', panel.id);
    panel.querySelector('.language').remove();
    tab.addEventListener('click', () => choose(tab));
    list.append(tab);
    return { tab, panel };
  });
  list.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined) return;
    const at = tabs.findIndex(({ tab }) => tab === document.activeElement);
    const { tab } = tabs[(at + step + tabs.length) % tabs.length];
    choose(tab);
    tab.focus();
  });
  group.prepend(list);
  groups.push(tabs);
}

// For browsers that cannot show the links beside the text by style alone.
if (matchMedia('(min-width: 48.01rem)').matches)
  for (const details of document.querySelectorAll('nav details')) details.open = true;

[...document.querySelectorAll('.tabs')].forEach(addTabs);
for (const [first] of groups) select(first.tab.textContent);
const remembered = localStorage.getItem('language');
if (remembered !== null) select(remembered);
if (navigator.clipboard) document.querySelectorAll('pre').forEach(addCopyButton);
// The tabs have moved what the address names.
if (location.hash !== '') document.getElementById(location.hash.slice(1))?.scrollIntoView();
