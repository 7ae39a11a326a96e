"""A client of the Vendor Gateway for vendors, in one module to copy: see README.md.

It keeps the token, retries what is safe to repeat, iterates over pages and changes, raises one
class of error with the gateway's code, and verifies webhooks.
"""

import random
import re
import threading
import time
from collections import OrderedDict
from email.utils import parsedate_to_datetime
from urllib.parse import urljoin, urlsplit

import httpx
from standardwebhooks import Webhook, WebhookVerificationError

# The seconds before its end at which a token is renewed.
RENEWAL_S = 30
# The first wait without a Retry-After. Each further one doubles: five outlast a restart.
BACKOFF_S = 0.5
# Added to a Retry-After, so that clients do not return at one instant.
JITTER_S = 1
# The longest silence of the gateway in an attempt; its long poll lasts 20 seconds.
ATTEMPT_S = 30
LOG_IN = "/api/v1/auth/token"
# The gateway keeps the list of a first page of changes for an hour.
LIST_LIFETIME_S = 50 * 60


class VendorGatewayError(Exception):
    """A call that failed. `state` is the gateway's code and says which fields `details` has.

    Without a response `state` is CONNECTION_FAILED and `status` 0; of a response that is not the
    gateway's, for example a proxy's, it is INVALID_RESPONSE. A redirect is REDIRECTED, with the new
    address in `details["location"]`, or None if it names none; the client follows none.
    """

    def __init__(self, call, state, details, status=0, request_id=None, retry_after_s=None):
        # Neither body nor headers, because they may hold a secret or a token.
        text = _describe(details)
        status_text = f" ({status})" if status else ""
        super().__init__(f"{call}: {state}{status_text}" + (f": {text}" if text else ""))
        self.state = state
        self.details = details
        self.status = status
        self.request_id = request_id
        self.retry_after_s = retry_after_s


class VendorGateway:
    """Calls the gateway with one credential. Threads may share it."""

    def __init__(
        self, base_url, client_id, client_secret, *, attempts_max=6, timeout_s=60, transport=None
    ):
        self._http = httpx.Client(base_url=_base_url_of(base_url), transport=transport)
        self._credential = {"clientId": client_id, "clientSecret": client_secret}
        self._attempts_max = attempts_max
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._token = None
        self._renew_at = 0.0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._http.close()

    def call(self, method, path, *, params=None, json=None, idempotency_key=None):
        """The response `{state, payload, details}` of a call. Raises a VendorGatewayError.

        With an `idempotency_key` a call that creates is safe to repeat, for 24 hours.
        """
        method = method.upper()
        headers = {} if idempotency_key is None else {"idempotency-key": idempotency_key}
        request = {"params": params, "json": json, "headers": headers}
        is_repeatable = idempotency_key is not None or _is_repeatable(method, path, json)
        ends_at = time.monotonic() + self._timeout_s
        return self._send(method, path, request, is_repeatable, ends_at)

    def pages(self, path, **params):
        """The pages of a list: payloads with `items` and `pagination`."""
        page = 1
        while True:
            payload = self.call("GET", path, params={"pageSize": 100, **params, "page": page})[
                "payload"
            ]
            yield payload
            if page >= payload["pagination"]["totalPages"]:
                return
            page += 1

    def items(self, path, **params):
        """The items of a list. They shift while others write: keep a copy by `changes`."""
        for payload in self.pages(path, **params):
            yield from payload["items"]

    def changes(self, path, position="1970-01-01T00:00:00Z", **params):
        """Pairs `(items, position)` of what changed since a position, in the order of change.

        Store both in one transaction, and start there again later. An item may repeat. The items of
        a following page may have the instant that ends a page, so the position of a page that is
        not the last is the position of the page before.
        """
        since, page, started_at, latest = position, 1, time.monotonic(), position
        while True:
            query = {"pageSize": 100, **params, "changedSince": since, "page": page}
            response = self.call("GET", path, params=query)
            items, pagination = response["payload"]["items"], response["payload"]["pagination"]
            if not items:
                return
            is_last = page >= pagination["totalPages"]
            end = response["details"].get("nextChangedSince", latest)
            if is_last:
                position = end
            elif end != latest:
                position = latest
            latest = end
            yield items, position
            if is_last:
                return
            page += 1
            if time.monotonic() - started_at > LIST_LIFETIME_S:
                since, page, started_at, latest = position, 1, time.monotonic(), position

    def _send(self, method, path, request, is_repeatable, ends_at, with_token=True):
        """Sends until the response is one that a retry does not improve, or the time is used up."""
        is_renewed = False
        attempt = 1
        while True:
            headers = dict(request["headers"])
            token = self._get_token(ends_at) if with_token else None
            if token is not None:
                headers["authorization"] = f"Bearer {token}"
            sent = {**request, "headers": headers}
            # For the connection, and for each part of the response.
            sent["timeout"] = max(0.001, min(ATTEMPT_S, ends_at - time.monotonic()))
            try:
                response = self._http.request(method, path, **sent)
                if response.is_redirect:
                    raise _redirected(f"{method} {path}", path, response)
                body = _body_of(response)
                if response.is_success and body is not None:
                    return body
                error = _error_of(f"{method} {path}", response, body)
            except httpx.RequestError as cause:
                # The text names the cause, such as a refused connection, a certificate, or a body
                # that is not encoded as its headers say.
                details = {"reason": type(cause).__name__, "message": str(cause)}
                error = VendorGatewayError(f"{method} {path}", "CONNECTION_FAILED", details)
            if error.status == 401 and with_token and error.state != "UPSTREAM_AUTH_FAILED":
                self._discard(token)
                if not is_renewed:
                    is_renewed = True
                    continue
            # 429 says that nothing was done; the others leave open whether the call was.
            may_retry = error.status == 429 or (
                is_repeatable and error.status in (0, 502, 503, 504)
            )
            wait_s = _wait_s(error, attempt)
            if (
                not may_retry
                or attempt >= self._attempts_max
                or time.monotonic() + wait_s >= ends_at
            ):
                raise error
            time.sleep(wait_s)
            attempt += 1

    def _get_token(self, ends_at):
        with self._lock:
            if self._token is None or time.monotonic() >= self._renew_at:
                asked_at = time.monotonic()
                request = {"json": self._credential, "headers": {}}
                response = self._send("POST", LOG_IN, request, True, ends_at, with_token=False)
                self._token = response["payload"]["accessToken"]
                self._renew_at = asked_at + response["payload"]["expiresIn"] - RENEWAL_S
            return self._token

    def _discard(self, token):
        with self._lock:
            # Another thread may have a new one already.
            if self._token == token:
                self._token = None


class WebhookReceiver:
    """Verifies the requests to one subscription, and hands out each event once."""

    def __init__(self, secret, handle, *, handled_max=10_000):
        self._webhook = Webhook(secret)
        self._handle = handle
        self._handled_max = handled_max
        # In memory: store the ids with your data if a repetition after a restart matters.
        self._handled = OrderedDict()
        self._lock = threading.Lock()

    def receive(self, body, headers):
        """Whether the event is a new one. Answer 2xx when this returns, 5xx when `handle` raises.

        `body` is the body as it arrived. Answer 401 to a WebhookVerificationError.
        """
        event = self._verify(body, headers)
        # One event at a time: two attempts of the same one may arrive together.
        with self._lock:
            if event["eventId"] in self._handled:
                return False
            self._handle(event)
            # After the handler: an event whose handling fails comes again.
            self._handled[event["eventId"]] = None
            if len(self._handled) > self._handled_max:
                self._handled.popitem(last=False)
            return True


    def _verify(self, body, headers):
        if not isinstance(body, (str, bytes, bytearray)):
            raise WebhookVerificationError("The body was parsed already: pass the raw body")
        lower = {name.lower(): value for name, value in headers.items()}
        try:
            event = self._webhook.verify(body, lower)
        except (ValueError, TypeError) as cause:
            # The library raises them for malformed signatures and for a body that is not JSON.
            raise WebhookVerificationError("The signature or the body is malformed") from cause
        if not isinstance(event, dict) or "eventId" not in event:
            raise WebhookVerificationError("The body is no event")
        return event


def _base_url_of(address):
    """The address without what each call adds. Raises a ValueError that names the one meant."""
    given = address.strip()
    has_scheme = "://" in given
    host = given.lstrip("/")
    is_local = host.startswith(("localhost", "127.", "[::1]"))
    parts = urlsplit(given if has_scheme else f"{'http' if is_local else 'https'}://{host}")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError("base_url is not a URL such as https://gateway.example.org")
    if parts.username is not None or parts.password is not None:
        raise ValueError("base_url has a user or a password: leave them out")
    path = parts.path.rstrip("/")
    prefix = re.sub(r"/(api|operator)(/v\d+(/.*)?)?$", "", path)
    meant = f"{parts.scheme}://{parts.netloc}{prefix}"
    if not has_scheme:
        raise ValueError(f"base_url has no scheme: use {meant}")
    if prefix != path or parts.query or parts.fragment:
        raise ValueError(f"base_url has more than the address of the gateway: use {meant}")
    return meant


def _describe(details):
    """What the details of an error say: the first fields that failed, or the facts."""
    errors = details.get("errors") or []
    if errors:
        texts = [f"{error.get('field', '')} {error.get('message', '')}" for error in errors[:3]]
        more = f"; and {len(errors) - 3} more" if len(errors) > 3 else ""
        return "; ".join(texts) + more
    facts = [
        f"{name} {', '.join(map(str, value)) if isinstance(value, list) else value}"[:200]
        for name, value in details.items()
        if name not in ("help", "requestId") and not isinstance(value, dict) and value is not None
    ]
    return "; ".join(facts)


def _is_repeatable(method, path, json):
    """Whether a second call changes nothing: see "a fault behind the gateway" in /docs/errors."""
    if method == "POST":
        # A blank text is no id.
        external_id = (json or {}).get("vendorExternalId")
        return path == "/api/v1/scent/offers" and bool(str(external_id or "").strip())
    return not path.endswith("/received")


def _body_of(response):
    """The gateway's response; None for any other, for example of a proxy."""
    try:
        body = response.json()
    except ValueError:
        return None
    is_envelope = isinstance(body, dict) and {"state", "payload", "details"} <= body.keys()
    return body if is_envelope and isinstance(body["details"], dict) else None


def _error_of(call, response, body):
    state, details = ("INVALID_RESPONSE", {}) if body is None else (body["state"], body["details"])
    retry_after_s = _retry_after_s(response.headers.get("retry-after"))
    request_id = response.headers.get("x-request-id")
    return VendorGatewayError(call, state, details, response.status_code, request_id, retry_after_s)


def _redirected(call, path, response):
    """A redirect, which could carry the secret to another server. A query may be secret too."""
    status, location = response.status_code, response.headers.get("location")
    try:
        target = urlsplit(urljoin(str(response.request.url), location or ""))
    except ValueError:
        location = None
    if not location:
        details = {"location": None, "message": "the redirect names no address"}
        return VendorGatewayError(call, "REDIRECTED", details, status)
    # Without a user and a password.
    origin = f"{target.scheme}://{target.netloc.rpartition('@')[2]}"
    details = {"location": f"{origin}{target.path}"}
    if target.path.endswith(path):
        details["baseUrl"] = f"{origin}{target.path.removesuffix(path)}"
    return VendorGatewayError(call, "REDIRECTED", details, status)


def _retry_after_s(value):
    """Retry-After in seconds or as an HTTP date; None without one."""
    if value is None:
        return None
    try:
        if value.isdecimal():
            return float(value)
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except ValueError:
        return None


def _wait_s(error, attempt):
    if error.retry_after_s is None:
        return BACKOFF_S * 2 ** (attempt - 1) * (1 + random.random())
    return error.retry_after_s + random.random() * JITTER_S
