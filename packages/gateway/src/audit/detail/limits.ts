/** Characters of a body, or of a request, that an event keeps; what is longer is cut, and says so. */
export const KEPT_CHARS = 65_536;

/** More than that is read, in bytes: a secret that stands across the cut is then taken out whole, not left half. */
export const READ_BYTES = KEPT_CHARS + 8_192;
