import {
  connect,
  createServer,
  type ClientHttp2Session,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import { listen } from '../../../process/health/listen.ts';

/** Forwards one call of gRPC, whose status is in the trailers. */
function forward(
  upstream: ClientHttp2Session,
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): void {
  const call = upstream.request(headers);
  let trailers: IncomingHttpHeaders = {};
  call.on('response', (received, flags) => {
    // NGHTTP2_FLAG_END_STREAM: a failure without a message has its status in the headers.
    const isAll = (flags & 1) === 1;
    if (isAll) stream.respond(received, { endStream: true });
    else {
      stream.respond(received, { waitForTrailers: true });
      stream.on('wantTrailers', () => stream.sendTrailers(trailers));
      call.pipe(stream);
    }
  });
  call.on('trailers', (received) => {
    trailers = received;
  });
  call.on('error', () => stream.close());
  stream.on('error', () => call.close());
  stream.on('close', () => call.close());
  stream.pipe(call);
}

/** A proxy in front of Temporal that reads the names of all calls but those that wait for work. */
export async function startTemporalProxy(targetAddress: string) {
  let calls: string[] = [];
  const sessions = new Set<Http2Session>();
  const listening = createServer();
  listening.on('session', (session) => {
    const upstream = connect(`http://${targetAddress}`);
    for (const each of [session, upstream]) {
      sessions.add(each);
      each.on('error', () => each.destroy());
      each.on('close', () => sessions.delete(each));
    }
    session.on('close', () => upstream.close());
    session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      const name = headers[':path']?.split('/').at(-1) ?? '';
      if (!name.startsWith('Poll')) calls.push(name);
      forward(upstream, stream, headers);
    });
  });
  const { host } = new URL(await listen(listening, { host: '127.0.0.1', port: 0 }));
  return {
    address: host,
    /** The names of the calls since the last time. */
    take: (): readonly string[] => {
      const taken = calls;
      calls = [];
      return taken;
    },
    close: (): void => {
      listening.close();
      for (const session of sessions) session.destroy();
    },
  };
}
