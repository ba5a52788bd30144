const UNITS: Readonly<Record<string, number>> = { s: 1e3, m: 60e3, h: 3600e3, d: 86_400e3 };

/** `2h` is two hours ago; anything else is taken as a time and checked by the gateway. */
export function pastMoment(text: string, now: number = Date.now()): string {
  const match = /^(\d+)([smhd])$/.exec(text);
  if (match === null) return text;
  return new Date(now - Number(match[1]) * (UNITS[match[2] ?? 's'] ?? 0)).toISOString();
}
