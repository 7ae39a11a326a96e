/** What secrets look like, by the name for a report. */
const shapes: Readonly<Record<string, RegExp>> = {
  'a webhook secret': /\bwhsec_[\w+/=-]{20,}/,
  "a credential's secret": /\bvs_[\w-]{43}(?![\w-])/,
  "an operator's secret": /\bos_[\w-]{43}(?![\w-])/,
  'a token': /\beyJ[\w-]{10,}\.[\w-]{10,}\.[\w-]{20,}/,
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  'a URL with a password': /\b[a-z][a-z\d+.-]*:\/\/[^\s:/@"\\]+:[^\s@/"\\]+@/i,
};

/** The names of the kinds of secrets that a text contains. It never returns the secret. */
export const findSecretShapes = (text: string): readonly string[] =>
  Object.entries(shapes).flatMap(([name, shape]) => (shape.test(text) ? [name] : []));
