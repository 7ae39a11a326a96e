import { head, refused, tail, type ByteMutator } from './bytes.ts';
import { requestLines, headerLines } from './lists.ts';

/** Request lines and headers that are no HTTP. */

const version2 = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0';
/** The beginning of a TLS 1.2 greeting. */
const tls = Buffer.from('16030100a5010000a10303', 'hex');

export const lineMutators: readonly ByteMutator[] = [
  refused(
    'wire: request line',
    ({ random }) => `${head(random.pick(requestLines), 'host: a')}${tail}`,
  ),
  // Well-formed once; whoever still speaks it asks for something that is not there.
  refused(
    'wire: HTTP/0.9',
    ({ random }) =>
      random.pick([
        head('GET /api/v1/nope'),
        head('GET /'),
        head('GET / ', 'host: a'),
        head('GET /', 'host: a'),
      ]),
    ['VALIDATION_ERRORS', 'NOT_FOUND_ROUTE'],
  ),
  refused('wire: HTTP/2', () => version2),
  refused('wire: TLS', ({ random }) => Buffer.concat([tls, random.bytes(200)])),
  refused('wire: random bytes', ({ random }) =>
    Buffer.concat([
      Buffer.from([random.pick([0x00, 0x01, 0x1f, 0x7f, 0x80, 0xc3, 0xff])]),
      random.bytes(random.below(5000)),
    ]),
  ),
  refused(
    'wire: header line',
    ({ random }) =>
      `${head('GET /api/v1/nope HTTP/1.1', 'host: a', random.pick(headerLines), 'b: c')}${tail}`,
  ),
  refused(
    'wire: headers above 16 KiB',
    ({ random }) => {
      const long = 'y'.repeat(17_000 + random.below(3000));
      return random.pick([
        head('GET /api/v1/nope HTTP/1.1', `x: ${long}`),
        head(
          'GET /api/v1/nope HTTP/1.1',
          ...Array.from({ length: 1500 }, () => 'x-header: value-value'),
        ),
        head(`GET /${long} HTTP/1.1`),
        head('GET /api/v1/nope HTTP/1.1', `${long}: x`),
        // Its head has no end.
        `GET /api/v1/nope HTTP/1.1\r\nx: ${long}${long}`,
      ]);
    },
    ['HEADERS_TOO_LARGE'],
  ),
  refused(
    'wire: odd target',
    ({ random }) => {
      const target = random.pick([
        '*',
        'http://[::1/x',
        'http://',
        'a:80',
        '?',
        '#',
        '//',
        '/\u00ff%',
        'javascript:1',
        '\\',
      ]);
      const method = random.pick(['GET', 'OPTIONS', 'POST', 'DELETE']);
      return head(`${method} ${target} HTTP/1.1`, 'host: a', 'connection: close');
    },
    ['VALIDATION_ERRORS', 'NOT_FOUND_ROUTE'],
  ),
  refused(
    'wire: CONNECT and upgrades',
    ({ random }) =>
      random.pick([
        head('CONNECT a:80 HTTP/1.1', 'host: a', 'connection: close'),
        head(
          'GET /api/v1/nope HTTP/1.1',
          'host: a',
          'connection: upgrade, close',
          'upgrade: websocket',
        ),
        head(
          'GET /api/v1/nope HTTP/1.1',
          'host: a',
          'connection: upgrade, http2-settings, close',
          'upgrade: h2c',
          'http2-settings: x',
        ),
        head('QUERY /api/v1/nope HTTP/1.1', 'host: a', 'connection: close'),
      ]),
    ['VALIDATION_ERRORS', 'NOT_FOUND_ROUTE'],
  ),
];
