/**
 * Characters that separate the labels of a host name: IDNA treats these three as a full stop, and
 * NFKC produces a full stop from others.
 */
const FULL_STOPS = /[\u3002\uff0e\uff61]/g;
/**
 * Signs of a link: a scheme, a path, an address, markup, or a first label that programs treat as a
 * web address.
 */
const SURE_LINK = /[:/\\@<>]|www\./iu;
/** Words joined by full stops, as in a host name. */
const JOINED = /[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+/giu;
/** Titles that precede a full stop in names, in addition to initials. */
const TITLES = new Set(
  'capt col dr fr frl hon hr jr lt maj mlle mme mr mrs ms msgr mt mx pr prof rev sgt sr sra srta st sta ste'.split(' '),
);
/**
 * A family name after a full stop: Latin letters, and more than the two letters of a country's
 * domain.
 */
const FAMILY_NAME = /^\p{Script=Latin}[\p{Script=Latin}\p{M}-]{2,}$/u;
/**
 * The generic top-level domains with most registrations, without frequent family names. There are
 * about a thousand others.
 */
const TOP_LEVEL_DOMAINS = new Set(
  (
    'academy agency app arpa art asia bar bid bio biz blog boutique build business buzz cafe cam capital care careers casino ' +
    'cat center chat city claims cleaning click clinic cloud club coach codes coffee com community company consulting cool coop credit ' +
    'cyou date dating deals dental design dev digital direct directory doctor download edu education email energy engineer events exchange ' +
    'expert express faith family fans farm finance financial fit fitness flowers fun fund fyi games gift gifts gives global gmbh golf ' +
    'gov graphics group guide guru health healthcare help homes host hosting house icu inc info ink institute insure int international ' +
    'invest investments jewelry jobs lawyer legal life limited link live llc loan loans lol ltd management market ' +
    'marketing mba media men menu mil mobi moda moe mom museum name net network new news ninja one onl online ooo org partners ' +
    'parts party photo photography photos pics pink pizza plus porn post press pro productions promo properties property pub quest racing ' +
    'realty recipes red rehab rent repair report rest restaurant review reviews rip rocks run sale salon sbs school science services sex ' +
    'sexy shop shopping show site skin social software solar solutions space store stream studio style supplies support surf ' +
    'systems tax taxi team tech technology tel theater tickets tips tires today tools top tours town toys trade training travel tube ' +
    'university uno vacations ventures vet video villas vip vision vote watch web webcam website wedding wiki win wine work works world wtf ' +
    'xin xxx xyz yoga zip zone'
  ).split(' '),
);

/**
 * True if a mail program could turn this text, or a part of it, into a link. Words joined by full
 * stops count as a host name. Exceptions are initials and titles before a family name, as in
 * `J.R.Smith` and `St.John`, unless the name is a common top-level domain. Top-level domains
 * change, so the list is not complete: a host that consists of initials or titles and a rare domain
 * can pass.
 */
export function mayBecomeLink(text: string): boolean {
  const visible = text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(FULL_STOPS, '.')
    .toLowerCase();
  return SURE_LINK.test(visible) || (visible.match(JOINED) ?? []).some((joined) => !isName(joined.split('.')));
}

function isName(words: string[]): boolean {
  const last = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  if (words.slice(1).every(isInitial)) return true;
  return (
    before.every((word) => isInitial(word) || TITLES.has(word)) &&
    FAMILY_NAME.test(last) &&
    !TOP_LEVEL_DOMAINS.has(last) &&
    !last.startsWith('xn--')
  );
}

const isInitial = (word: string): boolean => /^[\p{L}\p{N}-]\p{M}*$/u.test(word);
