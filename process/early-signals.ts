let onSignal = (): void => process.exit(0);

/**
 * Ends a process that gets SIGTERM or SIGINT while it starts. As process 1 of a container it would
 * ignore them, because the kernel gives that process no default action.
 */
export function endOnEarlySignals(): void {
  process.once('SIGTERM', () => onSignal()).once('SIGINT', () => onSignal());
}

/**
 * From now on these signals call `stop`. The listeners stay: Node loses a signal that has arrived
 * if its listener is removed before the event loop reads the signal.
 */
export function stopOnSignals(stop: () => void): void {
  onSignal = stop;
}
