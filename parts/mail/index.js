export { ImapFlow } from 'imapflow';
export { dkimSign } from 'mailauth/lib/dkim/sign.js';
export { dkimVerify } from 'mailauth/lib/dkim/verify.js';
export { simpleParser } from 'mailparser';
