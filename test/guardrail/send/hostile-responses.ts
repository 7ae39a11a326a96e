import type { Duplex } from 'node:stream';

/** Answers without an end, which cost the reader most and the writer little. */

type Hostile = (stream: Duplex) => void;

/** Writes `head` and then the same piece as fast as the reader takes it, until the stream ends. */
const endless =
  (head: string, piece: string): Hostile =>
  (stream) => {
    const block = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)), 'latin1');
    const more = () => {
      while (!stream.destroyed && stream.write(block));
    };
    stream.on('drain', more);
    stream.write(head);
    more();
  };

const ok = 'HTTP/1.1 200 OK\r\n';
const chunked = `${ok}transfer-encoding: chunked\r\n\r\n`;

export const hostileResponses = {
  'interim-responses': endless('', 'HTTP/1.1 103 \r\n\r\n'),
  'interim-headers': endless('', 'HTTP/1.1 103 \r\na:\r\nb:\r\n\r\n'),
  'reason-phrase': endless('HTTP/1.1 200 ', 'x'),
  'line-ends': endless('', '\r\n'),
  'header-line': endless(`${ok}a: `, 'x'),
  'header-lines': endless(ok, 'a:\r\n'),
  'chunk-extension': endless(`${chunked}1;a=`, 'x'),
  'chunk-size': endless(chunked, '0'),
  'tiny-chunks': endless(chunked, '1\r\nx\r\n'),
  'trailer-lines': endless(`${chunked}0\r\n`, 'a:\r\n'),
  body: endless(`${ok}\r\n`, 'x'),
} as const satisfies Record<string, Hostile>;

export type HostileKind = keyof typeof hostileResponses;
