/** What a client reads where a service sends `T`: a Date is text as ISO 8601 has it. */
export type AsJson<T> = T extends Date ? string : T extends object ? { [Key in keyof T]: AsJson<T[Key]> } : T;
