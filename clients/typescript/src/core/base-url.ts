const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host);

/** The address with a scheme: `http` on this machine, `https` elsewhere. */
const withScheme = (address: string): string => {
  const [host = ''] = address.split(/[:/?#](?!.*\])/, 1);
  return `${isLoopback(host) ? 'http' : 'https'}://${address}`;
};

/** The path of the gateway, without what each call adds. */
const pathOf = ({ pathname }: URL): string =>
  pathname.replace(/\/(api|operator)(\/v\d+(\/.*)?)?\/?$/, '').replace(/\/+$/, '');

/**
 * The address that calls append their paths to. Throws a `TypeError` that names the address that
 * was meant.
 */
export function baseUrlOf(address: string): string {
  const given = address.trim();
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(given);
  const meant = hasScheme ? given : withScheme(given.replace(/^\/+/, ''));
  if (given === '' || !URL.canParse(meant))
    throw new TypeError('baseUrl is not a URL such as https://gateway.example.org.');
  const url = new URL(meant);
  if (url.username !== '' || url.password !== '')
    throw new TypeError('baseUrl has a user or a password: leave them out.');
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw new TypeError(`baseUrl has the scheme ${url.protocol}//: use https://.`);
  const right = `${url.origin}${pathOf(url)}`;
  if (!hasScheme) throw new TypeError(`baseUrl has no scheme: use ${right}.`);
  if (url.search !== '' || url.hash !== '')
    throw new TypeError(`baseUrl has a query or a fragment: use ${right}.`);
  if (pathOf(url) !== url.pathname.replace(/\/+$/, ''))
    throw new TypeError(`baseUrl has the path ${url.pathname}, which calls add: use ${right}.`);
  return right;
}
