/** What a property or parameter means, and a value of it; an object or a list is otherwise shown by its parts. */
export type GlossaryEntry = { readonly description: string; readonly example?: unknown };
export type Glossary = Readonly<Record<string, GlossaryEntry>>;

/** One entry for a name in several forms. */
export const inForms = (forms: readonly string[], name: string, entry: GlossaryEntry): Glossary =>
  Object.fromEntries(forms.map((form) => [`${form}.${name}`, entry]));

/** What each value of an enumeration means, as a list in Markdown. */
export const meanings = (intro: string, values: Readonly<Record<string, string>>): string =>
  [
    intro,
    '',
    ...Object.entries(values).map(([value, meaning]) => `- \`${value}\`: ${meaning}`),
  ].join('\n');
