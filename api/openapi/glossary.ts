/** What a property or parameter means, and a value of it. */
export type GlossaryEntry = { readonly description: string; readonly example?: unknown };

/**
 * One name, one meaning, wherever it stands; where it means something else in one form, that form's own entry
 * (`Form.name`) comes first. `query.name` and `path.name` are parameters.
 */
export const glossary: Readonly<Record<string, GlossaryEntry>> = {
  page: { description: 'Counts from 1.', example: 1 },
  pageSize: { description: 'Items a page, 1 to 100.', example: 20 },
};
