const MOST = 64;

/** What the other side still has of the modules it was sent. It keeps the latest, by an order that both sides can tell. */
export class KnownCode {
  private readonly hashes = new Set<string>();

  /** Whether the modules must be sent along, and which the other side shall forget. */
  send(hash: string): { isKnown: boolean; forget: string[] } {
    const isKnown = this.hashes.delete(hash);
    this.hashes.add(hash);
    const [oldest] = this.hashes;
    const forget = this.hashes.size > MOST && oldest !== undefined ? [oldest] : [];
    for (const old of forget) this.hashes.delete(old);
    return { isKnown, forget };
  }
}
