import type { FastifyBaseLogger } from 'fastify';

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
type ChildParameters = Parameters<FastifyBaseLogger['child']>;

/** A child logger that is made when it is first used. */
class LazyLog {
  readonly #make: () => FastifyBaseLogger;
  #made: FastifyBaseLogger | null = null;

  constructor(make: () => FastifyBaseLogger) {
    this.#make = make;
  }
  get made(): FastifyBaseLogger {
    return (this.#made ??= this.#make());
  }
  get level(): string {
    return this.made.level;
  }
  child(...parameters: ChildParameters): FastifyBaseLogger {
    return this.made.child(...parameters);
  }
}
for (const level of levels) {
  Object.defineProperty(LazyLog.prototype, level, {
    value(this: LazyLog, ...line: Parameters<FastifyBaseLogger['info']>): void {
      this.made[level](...line);
    },
  });
}

/** Creates the log of a request when it is first used, because most requests log nothing. */
export const requestLog = (
  logger: FastifyBaseLogger,
  ...parameters: ChildParameters
): FastifyBaseLogger =>
  new LazyLog(() => logger.child(...parameters)) as unknown as FastifyBaseLogger;
