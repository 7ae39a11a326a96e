/** Texts that are wrong somewhere, many of them: a bar stands between each two. */
const listed = (text: string): readonly string[] =>
  text.split('¦').map((item) => item.replace(/^\n/, ''));

const uuid = '01890000-0000-7000-8000-000000000000';

export const mediaTypes = [
  ...listed(`text/plain¦text/json¦application/x-json¦application/jsonp¦application/json-patch+json¦json¦*/*¦
application/x-www-form-urlencoded¦multipart/form-data; boundary=x¦multipart/form-data¦
application/xml¦application/json, application/json¦application/json/json¦/¦;¦application/¦
application/ json¦__proto__¦constructor¦application/octet-stream¦image/png¦text/html; charset=utf-7`),
  `a/${'b'.repeat(4000)}`,
];

export const wrongFormat =
  listed(`"x"¦"0"¦"00000000-0000-0000-0000-00000000000g"¦"2026-13-01T00:00:00Z"¦"2026-02-30"¦"{${uuid}}"¦
"2026-01-01T00:00:00"¦"+275760-09-13T00:00:00Z"¦"٢٠٢٦"`);

export const wrongLengths = listed(
  `abc¦-1¦+5¦5 5¦5,5¦5, 6¦0x10¦1e3¦5.0¦99999999999999999999¦¦NaN¦٥¦5;q=1`,
);

export const wrongChunks =
  listed(`zz\r\n{}\r\n0\r\n\r\n¦-1\r\n{}\r\n0\r\n\r\n¦0x2\r\n{}\r\n0\r\n\r\n¦ 2\r\n{}\r\n0\r\n\r\n¦
2 2\r\n{}\r\n0\r\n\r\n¦FFFFFFFFFFFFFFFFFF\r\n{}¦2\r\n{}x\r\n0\r\n\r\n¦2\r\n{}0\r\n\r\n¦
2\r\n{}\r\n\r\n¦\r\n¦;\r\n¦2;\u0000\r\n{}\r\n0\r\n\r\n¦1\r\n{}\r\n0\r\n\r\n¦
2\r\n{}\r\n0\r\nno trailer\r\n\r\n¦2\r\n{}\r\n0\r\na\u0000: b\r\n\r\n¦\u00b2\r\n{}\r\n0\r\n\r\n`);

export const requestLines = [
  ...listed(`GET¦GET ¦GET / HTTP¦GET / HTTP/¦GET / HTTP/1¦GET / HTTP/1.¦GET / HTTP/9.9¦
GET / HTTP/1.1 x¦GET / HTTP/1.1.1¦GET / http/1.1¦GET / HTTP /1.1¦GET / HTTP/01.1¦GET / HTTP/-1.1¦
GET  HTTP/1.1¦ GET / HTTP/1.1¦\tGET / HTTP/1.1¦get / HTTP/1.1¦Get / HTTP/1.1¦FOO / HTTP/1.1¦
G\u0000T / HTTP/1.1¦GET /\u0000 HTTP/1.1¦GET /\u0001 HTTP/1.1¦GET /a b HTTP/1.1¦GET\t/ HTTP/1.1¦
GET/ HTTP/1.1¦(){} / HTTP/1.1¦\u00ff / HTTP/1.1¦{"json":true}¦<xml/>¦HELO x¦SSH-2.0-x¦
HTTP/1.1 200 OK¦\u0000\u0000\u0000\u0000¦GET api/v1 HTTP/1.1¦GETGET / HTTP/1.1`),
  `${'A'.repeat(3000)} / HTTP/1.1`,
];

export const headerLines =
  listed(`no-colon¦: no-name¦a b: c¦a\u0000: b¦a: b\u0000c¦a : b¦\u00e9: b¦a: b\rc: d¦(a): b¦a\tb: c¦"a": b¦
a: \u0001¦a: \u007f¦{"a":1}¦@: b¦ leading: x`);

export const unknownNames =
  listed(`__proto__¦constructor¦toString¦hasOwnProperty¦x¦Page¦page%20¦page[]¦page[0]¦%¦%zz¦%00¦%ff¦%ED%A0%80¦
%F0%9F%9C%81¦a.b¦__proto__[x]¦constructor[prototype][x]¦%2520¦'¦<s>¦=¦=1¦+¦#¦#page=1`);

export const wrongValues = [
  ...listed(`¦0¦-1¦1.5¦1e3¦0x1¦%¦%zz¦%00¦%ff¦%ED%A0%80¦NaN¦null¦undefined¦[]¦{}¦+1¦%201¦1%20¦%D9%A1¦constructor¦
__proto__¦true,false¦history,x¦,¦2026-02-30T00:00:00Z¦2026-01-01¦2026-01-01T25:00:00Z¦
0000-00-00T00:00:00Z¦%2525¦'%20or%201=1--`),
  '9'.repeat(400),
];

export const wrongIds = [
  ...listed(`x¦0¦-¦null¦undefined¦NaN¦1e3¦%00¦${uuid}%00¦${uuid}%0A¦%20${uuid}¦%7B${uuid}%7D¦urn:uuid:${uuid}¦
01890000000070008000000000000000¦${uuid}0¦1890000-0000-7000-8000-000000000000¦%2F¦..%2F..¦..¦.¦
%2e%2e¦%2525¦%253${uuid}¦%F0%9F%9C%81¦%D9%A0¦__proto__¦constructor¦*¦:id¦{id}¦'--¦;x=1¦~¦
!$&()¦%5C¦%3Fpage=1¦%23¦\\..\\`),
  'a'.repeat(300),
  'a'.repeat(12_000),
  '%41'.repeat(3000),
];

export const methods =
  listed(`HEAD¦OPTIONS¦TRACE¦PUT¦PATCH¦DELETE¦POST¦GET¦PROPFIND¦MKCOL¦LOCK¦SEARCH¦PURGE¦REPORT¦M-SEARCH¦LINK¦
SUBSCRIBE¦COPY¦BIND¦ACL¦REBIND`);

/** Both say where the body ends; each reader of the two would see another request behind it. */
export const twoEnds = [
  ['content-length: 5', 'transfer-encoding: chunked'],
  ['transfer-encoding: chunked', 'content-length: 5'],
  ['content-length: 5', 'transfer-encoding: identity'],
  ['content-length: 5', 'transfer-encoding : chunked'],
  ['content-length: 5', 'transfer-encoding: xchunked'],
  ['content-length: 5', 'transfer-encoding:\tchunked'],
  ['content-length: 5', 'transfer-encoding: \u000bchunked'],
  ['content-length: 5', 'transfer-encoding\t: chunked'],
  ['content-length: 5', 'x: x\ntransfer-encoding: chunked'],
  ['content-length: 5', 'transfer-encoding: chunked, identity'],
  ['content-length: 5', 'transfer-encoding: "chunked"'],
  ['transfer-encoding: chunked', 'transfer-encoding: cow'],
  ['transfer-encoding: cow', 'transfer-encoding: cow'],
  ['transfer-encoding: chunked, cow'],
  ['transfer-encoding: chunked\0'],
  ['content-length: 5', 'content-length: 6'],
  ['content-length: 6', 'content-length: 5'],
  ['content-length: 5\u00a0'],
  ['content-length : 5'],
] as const;
