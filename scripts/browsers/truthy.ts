/** What is left of a type once a value of it was found to be truthy. */
export type Truthy<T> = Exclude<T, undefined | null | false | 0 | ''>;
