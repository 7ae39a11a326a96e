const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as the content of an element or of a quoted attribute. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"']/g, (each) => entities[each] ?? '');
