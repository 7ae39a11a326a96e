/** Sets an entry of a map as its newest one, and evicts the oldest one above `max` entries. */
export function setNewest<TKey, TValue>(
  map: Map<TKey, TValue>,
  max: number,
  key: TKey,
  value: TValue,
): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= max) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
