import type { IncomingMessage } from 'node:http';

/** A name, an IPv4 address or an IPv6 address in brackets, and a port (RFC 9110, 7.2). */
const hostForm = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

/** The host of a target that is a whole URL, as for a proxy (RFC 9112, 3.2.2). */
const hostOfTarget = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i;

const plain = (host: string): string => host.toLowerCase().replace(/:(?:80|443)?$/, '');

/**
 * What is wrong with the `Host` of a request; null for one `Host` that names a host, and the same
 * one as the target.
 */
export function hostFault({
  httpVersion,
  rawHeaders,
  headers,
  url = '',
}: IncomingMessage): 'is required' | 'must be sent once' | 'must name one host' | null {
  const names = rawHeaders.filter((_text, index) => index % 2 === 0);
  const count = names.filter((name) => name.toLowerCase() === 'host').length;
  // A caller of HTTP/1.0, such as the health check of a proxy, may send none (RFC 9112, 3.2).
  if (count === 0) return httpVersion === '1.0' ? null : 'is required';
  if (count > 1) return 'must be sent once';
  const { host = '' } = headers;
  const [, target = host] = hostOfTarget.exec(url) ?? [];
  const isOne = hostForm.test(host) && plain(target) === plain(host);
  return isOne ? null : 'must name one host';
}
