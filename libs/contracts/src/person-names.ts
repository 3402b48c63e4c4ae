/** What separates the labels of a host name: IDNA takes three other characters for a full stop, and NFKC makes one of others. */
const FULL_STOPS = /[\u3002\uff0e\uff61]/g;
/** A scheme, a path, an address, markup, or what programs take for a web address by its first label alone. */
const SURE_LINK = /[:/\\@<>]|www\./iu;
/** Words that are joined by full stops, as the labels of a host name are. */
const JOINED = /[\p{L}\p{M}\p{N}-]+(?:\.[\p{L}\p{M}\p{N}-]+)+/giu;
/** What stands before a full stop in names: initials, and these. */
const TITLES = new Set(
  'capt col dr fr frl hon hr jr lt maj mlle mme mr mrs ms msgr mt mx pr prof rev sgt sr sra srta st sta ste'.split(' '),
);
/** A family name behind it: of Latin letters, and longer than the domains of countries, which have two. */
const FAMILY_NAME = /^\p{Script=Latin}[\p{Script=Latin}\p{M}-]{2,}$/u;
/** The generic top-level domains that people register most, without those that are frequent family names. There are a thousand others. */
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
 * Whether a mail program could make a link of this text, or of a part of it. Words that full stops join are taken for a host name, but for
 * initials and titles with a family name behind them, as in `J.R.Smith` and `St.John`, where that is no common top-level domain. Which
 * top-level domains there are changes, so this is no list of them all: what it lets pass by mistake is a host of an initial or a title.
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
