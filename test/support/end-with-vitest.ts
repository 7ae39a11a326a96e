// Vitest's processes outlive a Vitest that is killed for as long as their test runs, and a Temporal worker runs for ever.
process.once('disconnect', () => {
  process.exit(1);
});
