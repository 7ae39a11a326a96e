// A worker process outlives a Vitest that is killed, and a Temporal worker never ends by itself.
// Vitest evaluates this module once for each file: one listener is enough.
const mark = Symbol.for('vendor-gateway.ends-with-vitest');
if (!Reflect.has(process, mark)) {
  Reflect.set(process, mark, true);
  process.once('disconnect', () => {
    process.exit(1);
  });
}
