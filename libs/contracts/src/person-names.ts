/** What separates the labels of a host name: IDNA takes three other characters for a full stop, and NFKC makes one of others. */
const FULL_STOPS = /[\u3002\uff0e\uff61]/g;
/** A scheme, a path, an address, or a word that goes on after a full stop. Initials and abbreviations are not meant: `J.R.R.`, `St. John`. */
const LINK = /[:/\\@<>]|www\.|[\p{L}\p{M}\p{N}-]\.[\p{L}\p{M}\p{N}-]{2,}/iu;

/** Whether a mail program could make a link of this text, or of a part of it. */
export function mayBecomeLink(text: string): boolean {
  const visible = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(FULL_STOPS, '.');
  return LINK.test(visible);
}
