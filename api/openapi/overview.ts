/** The head of the reference page, in Markdown. */
export const overview = 'The supplier gateway.';

/** The groups of routes, in the order of the page. */
export const tags: readonly { readonly name: string; readonly description: string }[] = [];
