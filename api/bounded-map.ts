/** A map of at most `max` entries, which evicts the entry that was set longest ago. */
export class BoundedMap<TKey, TValue> extends Map<TKey, TValue> {
  readonly #max: number;

  constructor(max: number) {
    super();
    this.#max = max;
  }

  override set(key: TKey, value: TValue): this {
    this.delete(key);
    super.set(key, value);
    const [oldest] = this.keys();
    if (this.size > this.#max && oldest !== undefined) this.delete(oldest);
    return this;
  }
}
