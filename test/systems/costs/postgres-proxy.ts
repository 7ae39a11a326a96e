import type { Socket } from 'node:net';
import { startCutProxy } from '../../support/cut-proxy.ts';

/** What a connection sent between two moments at which no transaction was open. */
export type Unit = {
  /** The texts of its statements in their order, `begin` and `commit` among them. */
  readonly texts: readonly string[];
  /** How often the client waited for a result. */
  readonly roundTrips: number;
};

/** Splits a stream of Postgres' protocol into messages, and keeps what is incomplete. */
function messageReader(
  startsWithoutType: boolean,
  onMessage: (type: string, body: Buffer) => void,
) {
  let rest: Buffer = Buffer.alloc(0);
  let lacksType = startsWithoutType;
  return (chunk: Buffer): void => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const typeSize = lacksType ? 0 : 1;
      if (rest.length < typeSize + 4) return;
      const size = typeSize + rest.readUInt32BE(typeSize);
      if (rest.length < size) return;
      const type = lacksType ? 'startup' : String.fromCharCode(rest[0] ?? 0);
      onMessage(type, rest.subarray(typeSize + 4, size));
      lacksType = false;
      rest = rest.subarray(size);
    }
  };
}

const textAt = (body: Buffer, from: number): string =>
  body.toString('utf8', from, body.indexOf(0, from));
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** Follows one connection, and reports each of its units when it ends. */
function follow(client: Socket, server: Socket, onUnit: (unit: Unit) => void): void {
  const texts = new Map<string, string>();
  let sent: string[] = [];
  let roundTrips = 0;
  let unanswered = 0;
  const expectResult = (): void => {
    if (unanswered === 0) roundTrips += 1;
    unanswered += 1;
  };
  const readClient = messageReader(true, (type, body) => {
    if (type === 'P') texts.set(textAt(body, 0), oneLine(textAt(body, body.indexOf(0) + 1)));
    if (type === 'B') sent.push(texts.get(textAt(body, body.indexOf(0) + 1)) ?? '');
    if (type === 'Q') sent.push(oneLine(textAt(body, 0)));
    if (type === 'Q' || type === 'S') expectResult();
  });
  const readServer = messageReader(false, (type, body) => {
    if (type !== 'Z') return;
    // The first of them ends the log-in, which no statement expects.
    unanswered = Math.max(0, unanswered - 1);
    if (String.fromCharCode(body[0] ?? 0) !== 'I' || unanswered > 0) return;
    if (sent.length > 0) onUnit({ texts: sent, roundTrips });
    sent = [];
    roundTrips = 0;
  });
  client.on('data', readClient);
  server.on('data', readServer);
}

/** A proxy in front of Postgres that reads the statements of all connections. */
export async function startPostgresProxy(targetPort: number) {
  let units: Unit[] = [];
  const { port, close } = await startCutProxy(targetPort, (client, server) =>
    follow(client, server, (unit) => units.push(unit)),
  );
  return {
    /** The same database through the proxy. */
    via: (databaseUrl: string): string => {
      const url = new URL(databaseUrl);
      url.host = `127.0.0.1:${port}`;
      return url.href;
    },
    /** The units since the last call. */
    take: (): readonly Unit[] => {
      const taken = units;
      units = [];
      return taken;
    },
    close,
  };
}
