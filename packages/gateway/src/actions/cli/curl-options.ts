import { type OptionTable, optionTable } from './argv-parser.ts';

/** `curl --help all`, curl 7.88. What a newer curl adds is unknown. */
export const CURL_OPTIONS: OptionTable = optionTable({
  none: `--anyauth -a|--append --basic --cert-status --compressed --compressed-ssh --create-dirs --crlf --digest
    -q|--disable --disable-eprt --disable-epsv --disallow-username-in-url --doh-cert-status --doh-insecure -f|--fail
    --fail-early --fail-with-body --false-start --form-escape --ftp-create-dirs --ftp-pasv --ftp-pret
    --ftp-skip-pasv-ip --ftp-ssl-ccc --ftp-ssl-control -G|--get -g|--globoff --haproxy-protocol -I|--head --http0.9
    -0|--http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --http3-only --ignore-content-length -i|--include
    -k|--insecure -4|--ipv4 -6|--ipv6 -j|--junk-session-cookies -l|--list-only -L|--location --location-trusted
    --mail-rcpt-allowfails -M|--manual --metalink --negotiate -n|--netrc --netrc-optional -:|--next --no-alpn
    -N|--no-buffer --no-clobber --no-keepalive --no-npn --no-progress-meter --no-sessionid --ntlm --ntlm-wb
    -Z|--parallel --parallel-immediate --path-as-is --post301 --post302 --post303 -#|--progress-bar --proxy-anyauth
    --proxy-basic --proxy-digest --proxy-insecure --proxy-negotiate --proxy-ntlm --proxy-ssl-allow-beast
    --proxy-ssl-auto-client-cert --proxy-tlsv1 -p|--proxytunnel --raw -J|--remote-header-name -O|--remote-name
    --remote-name-all -R|--remote-time --remove-on-error --retry-all-errors --retry-connrefused --sasl-ir
    -S|--show-error -s|--silent --socks5-basic --socks5-gssapi --socks5-gssapi-nec --ssl --ssl-allow-beast
    --ssl-auto-client-cert --ssl-no-revoke --ssl-reqd --ssl-revoke-best-effort -2|--sslv2 -3|--sslv3 --styled-output
    --suppress-connect-headers --tcp-fastopen --tcp-nodelay --tftp-no-options -1|--tlsv1 --tlsv1.0 --tlsv1.1
    --tlsv1.2 --tlsv1.3 --tr-encoding --trace-time --trace-ids -B|--use-ascii -v|--verbose -V|--version --xattr`,
  value: `--abstract-unix-socket --alt-svc --aws-sigv4 --cacert --capath -E|--cert --cert-type --ciphers -K|--config
    --connect-timeout --connect-to -C|--continue-at -b|--cookie -c|--cookie-jar --create-file-mode --crlfile --curves
    -d|--data --data-ascii --data-binary --data-raw --data-urlencode --delegation --dns-interface --dns-ipv4-addr
    --dns-ipv6-addr --dns-servers --doh-url -D|--dump-header --egd-file --engine --etag-compare --etag-save
    --expect100-timeout -F|--form --form-string --ftp-account --ftp-alternative-to-user --ftp-method -P|--ftp-port
    --ftp-ssl-ccc-mode --happy-eyeballs-timeout-ms -H|--header --hostpubmd5 --hostpubsha256 --hsts
    --interface --json --keepalive-time --key --key-type --krb --libcurl --limit-rate --local-port --login-options
    --mail-auth --mail-from --mail-rcpt --max-filesize --max-redirs -m|--max-time --netrc-file --noproxy
    --oauth2-bearer -o|--output --output-dir --parallel-max --pass --pinnedpubkey --preproxy --proto --proto-default
    --proto-redir -x|--proxy --proxy-cacert --proxy-capath --proxy-cert --proxy-cert-type --proxy-ciphers
    --proxy-crlfile --proxy-header --proxy-key --proxy-key-type --proxy-pass --proxy-pinnedpubkey
    --proxy-service-name --proxy-tls13-ciphers --proxy-tlsauthtype --proxy-tlspassword --proxy-tlsuser -U|--proxy-user
    --proxy1.0 --pubkey -Q|--quote --random-file -r|--range --rate -e|--referer -X|--request --request-target
    --resolve --retry --retry-delay --retry-max-time --sasl-authzid --service-name --socks4 --socks4a --socks5
    --socks5-gssapi-service --socks5-hostname -Y|--speed-limit -y|--speed-time --stderr -t|--telnet-option
    --tftp-blksize -z|--time-cond --tls-max --tls13-ciphers --tlsauthtype --tlspassword --tlsuser --trace
    --trace-ascii --unix-socket -T|--upload-file --url --url-query -u|--user -A|--user-agent -w|--write-out`,
  maybe: '-h|--help',
});

function reasons(reason: string, names: string): readonly (readonly [string, string])[] {
  return names.split(/\s+/).map((name) => [name, `\`${name}\` ${reason}`] as const);
}

/** Options that make a transfer unknown: what it does or where it goes is then not in the words. */
export const CURL_DANGEROUS: ReadonlyMap<string, string> = new Map([
  ...reasons('reads more options from a file', '--config'),
  ...reasons(
    'sends the request another way',
    `--proxy --preproxy --proxy1.0 --socks4 --socks4a --socks5 --socks5-hostname --noproxy --proxytunnel --resolve
    --connect-to --unix-socket --abstract-unix-socket --doh-url --dns-servers --dns-interface --dns-ipv4-addr
    --dns-ipv6-addr --interface --haproxy-protocol --alt-svc --request-target --path-as-is --proto-default
    --proto-redir --proxy-header --proxy-user`,
  ),
  ...reasons(
    'sends credentials that are kept elsewhere or its own',
    `--user --netrc --netrc-file --netrc-optional --oauth2-bearer --cert --key --pass --negotiate --ntlm --digest
    --anyauth --delegation --aws-sigv4 --tlsuser --tlspassword --krb --location-trusted --sasl-authzid --login-options`,
  ),
  ...reasons('runs or loads a program', '--ntlm-wb --engine --metalink'),
  ...reasons(
    'speaks another protocol than HTTP',
    `--quote --ftp-port --ftp-account --ftp-alternative-to-user --append --mail-from --mail-rcpt --mail-auth
    --telnet-option --pubkey --ftp-create-dirs`,
  ),
  ...reasons('lets the server name the file', '--remote-header-name'),
]);

/** Options whose value is a file that curl writes. */
export const CURL_OUTPUTS: ReadonlySet<string> = new Set(
  '--output --cookie-jar --dump-header --trace --trace-ascii --stderr --libcurl --etag-save --hsts'.split(
    ' ',
  ),
);

/** Options that put something into the body (or, with `--get`, into the query). */
export const CURL_DATA: ReadonlySet<string> = new Set(
  '--data --data-ascii --data-binary --data-raw --data-urlencode'.split(' '),
);
