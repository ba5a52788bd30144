export interface StoredMail {
  readonly uid: number;
  readonly raw: Buffer;
  readonly flags: Set<string>;
  readonly at: Date;
}

/** One folder: messages in the order of their numbers. */
export class Mailbox {
  uidValidity = 1;
  uidNext = 1;
  readonly mails: StoredMail[] = [];

  add(raw: Buffer, at: Date): StoredMail {
    const mail: StoredMail = { uid: this.uidNext, raw, flags: new Set(), at };
    this.uidNext += 1;
    this.mails.push(mail);
    return mail;
  }

  /** As after a server was restored from a backup: other numbers, no flags, the same messages. */
  renumber(): void {
    this.uidValidity += 1;
    const kept = this.mails.splice(0);
    this.uidNext = 1;
    for (const { raw, at } of kept) this.add(raw, at);
  }

  /** Members of a set like `1:3,7,9:*`, with their place in the folder. */
  inSet(set: string, byUid: boolean): readonly { readonly place: number; readonly mail: StoredMail }[] {
    const last = byUid ? (this.mails.at(-1)?.uid ?? 0) : this.mails.length;
    const bound = (text: string): number => (text === '*' ? last : Number(text));
    const ranges = set.split(',').map((part) => {
      const [from = '', to = from] = part.split(':');
      return [Math.min(bound(from), bound(to)), Math.max(bound(from), bound(to))] as const;
    });
    return this.mails
      .map((mail, index) => ({ place: index + 1, mail }))
      .filter(({ place, mail }) => {
        const number = byUid ? mail.uid : place;
        return ranges.some(([low, high]) => number >= low && number <= high);
      });
  }
}
