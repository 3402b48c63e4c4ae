/** JSON form of `T` as a client receives it: a Date becomes ISO 8601 text. */
export type AsJson<T> = T extends Date ? string : T extends object ? { [Key in keyof T]: AsJson<T[Key]> } : T;
