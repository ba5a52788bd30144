/** The fixed menu, in the same words on every channel, whatever is asked. */
export const MENU: readonly string[] = [
  '1. Allow once',
  '2. Allow for this session',
  '3. Deny',
  '4. Allow once + add note (reply: 4 <note>)',
  '5. Modify then allow (reply: 5 <text>)',
  '6. Always allow this action type (until revoked)',
];

/** What is said under the menu, because people answer "ok" and wait. */
export const MENU_RULE = 'Begin with the number. Anything else decides nothing.';
