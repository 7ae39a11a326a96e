"""Tests of the example against the gateway at GATEWAY_URL, which .ci/generators/run starts."""

import base64
import json
import os
import uuid
from datetime import datetime, timezone

import httpx
import pytest
from standardwebhooks import Webhook, WebhookVerificationError

import vendor_gateway
from vendor_gateway import VendorGateway, VendorGatewayError, WebhookReceiver

OFFERS = "/api/v1/scent/offers"


LOG_IN = "/api/v1/auth/token"


class Recorder(httpx.BaseTransport):
    """Records the calls, and answers the first ones instead of the gateway.

    The gateway issues one token, which all tests use: it allows ten log-ins a minute.
    """

    issued = None

    def __init__(self, *responses):
        self.calls = []
        self.timeouts = []
        self._responses = list(responses)
        self._inner = httpx.HTTPTransport()

    def handle_request(self, request):
        self.calls.append(f"{request.method} {request.url.path}")
        self.timeouts += set(request.extensions["timeout"].values())
        if request.url.path == LOG_IN:
            if Recorder.issued is None:
                Recorder.issued = json.loads(self._inner.handle_request(request).read())
            return httpx.Response(200, json=Recorder.issued)
        if self._responses:
            response = self._responses.pop(0)
            if isinstance(response, Exception):
                raise response
            return response
        return self._inner.handle_request(request)


def refusal(status, state, **headers):
    return httpx.Response(
        status, headers=headers, json={"state": state, "payload": None, "details": {}}
    )


def connect(*responses, **options):
    recorder = Recorder(*responses)
    given = [os.environ[name] for name in ("GATEWAY_URL", "CLIENT_ID", "CLIENT_SECRET")]
    return VendorGateway(*given, transport=recorder, **options), recorder


def offer(**fields):
    names = {"rawBrandName": "Maison Dahab", "rawProductName": "Oud 50"}
    return {
        **names,
        "cost": 100,
        "costIsVatInclusive": False,
        "vendorExternalId": str(uuid.uuid4()),
        **fields,
    }


@pytest.fixture(autouse=True)
def without_waits(monkeypatch):
    waits = []
    monkeypatch.setattr(vendor_gateway.time, "sleep", waits.append)
    return waits


@pytest.mark.parametrize("amount", [1234567.89, 0.07, 9999999.99])
def test_an_amount_comes_back_to_the_halala(amount):
    client, _ = connect()
    created = client.call("POST", OFFERS, json=offer(cost=amount))["payload"]
    assert client.call("GET", f"{OFFERS}/{created['id']}")["payload"]["cost"]["amount"] == amount


def test_calls_share_a_token_until_30_seconds_before_its_end(monkeypatch):
    client, recorder = connect()
    now = vendor_gateway.time.monotonic()
    monkeypatch.setattr(vendor_gateway.time, "monotonic", lambda: now)
    client.call("GET", OFFERS)
    now += 269
    client.call("GET", OFFERS)
    assert recorder.calls.count(f"POST {LOG_IN}") == 1
    now += 2
    client.call("GET", OFFERS)
    assert recorder.calls.count(f"POST {LOG_IN}") == 2


def test_a_refused_token_is_renewed_once():
    client, recorder = connect(refusal(401, "UNAUTHORIZED_TOKEN_EXPIRED"))
    assert client.call("GET", OFFERS)["state"] == "SUCCESS"
    assert recorder.calls.count(f"POST {LOG_IN}") == 2
    client, recorder = connect(*[refusal(401, "UNAUTHORIZED_INVALID_TOKEN") for _ in range(3)])
    with pytest.raises(VendorGatewayError, match="UNAUTHORIZED_INVALID_TOKEN"):
        client.call("GET", OFFERS)
    assert recorder.calls.count(f"GET {OFFERS}") == 2


def test_any_call_is_sent_again_after_429_and_its_retry_after(without_waits):
    client, recorder = connect(refusal(429, "TOO_MANY_REQUESTS", **{"retry-after": "7"}))
    body = offer(vendorExternalId=None)
    assert client.call("POST", OFFERS, json=body)["state"] == "SUCCESS"
    assert recorder.calls.count(f"POST {OFFERS}") == 2
    assert 7 <= without_waits[0] <= 8


LOST = [lambda: refusal(503, "SERVICE_UNAVAILABLE"), lambda: httpx.ReadError("lost")]


@pytest.mark.parametrize("lost", LOST)
def test_only_what_is_safe_to_repeat_is_sent_again_after_a_lost_response(lost):
    without_id = offer(vendorExternalId=None)
    key = str(uuid.uuid4())
    for method, body, key in [
        ("GET", None, None),
        ("POST", offer(), None),
        ("POST", without_id, key),
    ]:
        client, recorder = connect(lost())
        client.call(method, OFFERS, json=body, idempotency_key=key)
        assert recorder.calls.count(f"{method} {OFFERS}") == 2
    for method, body in [("POST", without_id), ("post", offer(vendorExternalId=" "))]:
        client, recorder = connect(lost())
        with pytest.raises(VendorGatewayError) as caught:
            client.call(method, OFFERS, json=body)
        assert caught.value.state in ("SERVICE_UNAVAILABLE", "CONNECTION_FAILED")
        assert recorder.calls.count(f"POST {OFFERS}") == 1
    client, recorder = connect(lost())
    with pytest.raises(VendorGatewayError):
        client.call("post", "/api/v1/scent/orders/1/ship")
    assert recorder.calls.count("POST /api/v1/scent/orders/1/ship") == 1


def test_no_attempt_waits_longer_than_the_time_of_the_call():
    client, recorder = connect(timeout_s=3)
    client.call("GET", OFFERS)
    assert len(recorder.timeouts) == 2 and 0 < max(recorder.timeouts) <= 3
    client, recorder = connect()
    client.call("GET", OFFERS)
    assert max(recorder.timeouts) == 30


def test_a_wait_beyond_the_time_of_the_call_is_not_begun(without_waits):
    client, _ = connect(refusal(429, "TOO_MANY_REQUESTS", **{"retry-after": "61"}))
    with pytest.raises(VendorGatewayError) as caught:
        client.call("GET", OFFERS)
    assert caught.value.retry_after_s == 61 and without_waits == []


def test_pages_and_changes_hand_out_every_item_and_resume():
    client, _ = connect()
    ids = {client.call("POST", OFFERS, json=offer())["payload"]["id"] for _ in range(3)}
    assert ids <= {item["id"] for item in client.items(OFFERS, pageSize=2)}
    changed, position = set(), None
    for items, position in client.changes(OFFERS, pageSize=2):
        changed |= {item["id"] for item in items}
    assert ids <= changed
    assert list(client.changes(OFFERS, position)) == []
    created = client.call("POST", OFFERS, json=offer())["payload"]
    [(items, _)] = client.changes(OFFERS, position)
    assert [item["id"] for item in items] == [created["id"]]


def test_an_error_has_the_state_and_the_details_of_the_gateway():
    client, _ = connect()
    with pytest.raises(VendorGatewayError) as caught:
        client.call("POST", OFFERS, json={"cost": -1, "costIsVatInclusive": False})
    assert (caught.value.state, caught.value.status) == ("VALIDATION_ERRORS", 400)
    assert "Cost" in [entry["field"] for entry in caught.value.details["errors"]]
    assert caught.value.request_id
    assert os.environ["CLIENT_SECRET"] not in repr(caught.value)


@pytest.mark.parametrize("status", [200, 404])
def test_a_response_of_a_proxy_is_an_error_of_its_own(status):
    client, _ = connect(httpx.Response(status, text="<html>"))
    with pytest.raises(VendorGatewayError, match="INVALID_RESPONSE"):
        client.call("GET", OFFERS)


def test_a_webhook_is_verified_and_handled_once():
    secret = "whsec_" + base64.b64encode(os.urandom(32)).decode()
    handled = []
    receiver = WebhookReceiver(secret, handled.append)
    body = json.dumps({"eventId": "evt_1", "eventType": "vendor.order.assigned"})
    now = datetime.now(timezone.utc)
    headers = {
        "Webhook-Id": "evt_1",
        "Webhook-Timestamp": str(int(now.timestamp())),
        "Webhook-Signature": Webhook(secret).sign("evt_1", now, body),
    }
    assert receiver.receive(body.encode(), headers) and not receiver.receive(body, headers)
    assert [event["eventType"] for event in handled] == ["vendor.order.assigned"]
    with pytest.raises(WebhookVerificationError):
        receiver.receive(body + " ", headers)


def test_an_event_whose_handling_fails_is_handled_when_it_comes_again():
    secret = "whsec_" + base64.b64encode(os.urandom(32)).decode()
    outcomes = [RuntimeError("no"), None]

    def handle(_event):
        outcome = outcomes.pop(0)
        if outcome is not None:
            raise outcome

    receiver = WebhookReceiver(secret, handle)
    body, now = json.dumps({"eventId": "evt_2"}), datetime.now(timezone.utc)
    signature = Webhook(secret).sign("evt_2", now, body)
    headers = {
        "webhook-id": "evt_2",
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": signature,
    }
    with pytest.raises(RuntimeError):
        receiver.receive(body, headers)
    assert receiver.receive(body, headers)


def test_the_code_of_the_readme_runs(monkeypatch, capsys):
    readme = open(os.path.join(os.path.dirname(__file__), "README.md")).read()
    monkeypatch.setenv("BASE_URL", os.environ["GATEWAY_URL"])
    blocks = [block.split("```")[0] for block in readme.split("```python\n")[1:]]
    for block in blocks[:2]:
        exec(compile(block, "README.md", "exec"), {})
    assert "1234567.89" in capsys.readouterr().out


SECRET = "whsec_" + base64.b64encode(os.urandom(32)).decode()


def signed(event):
    body, now = json.dumps(event), datetime.now(timezone.utc)
    signature = Webhook(SECRET).sign("event-1", now, body)
    timestamp = str(int(now.timestamp()))
    return body, {
        "webhook-id": "event-1",
        "webhook-timestamp": timestamp,
        "webhook-signature": signature,
    }


@pytest.mark.parametrize("signature", ["v1", "v1,", "v1,***", "v1,a", ",", "v2,a", "v1,a,b"])
def test_a_malformed_signature_is_refused_as_another_one_is(signature):
    body, headers = signed({"eventId": "event-1", "eventType": "vendor.order.assigned"})
    receiver = WebhookReceiver(SECRET, lambda event: None)
    with pytest.raises(WebhookVerificationError):
        receiver.receive(body, {**headers, "webhook-signature": signature})


@pytest.mark.parametrize("body", [{"eventId": "event-1"}, None, 7, ["a"]])
def test_a_parsed_body_is_refused_with_what_to_pass(body):
    _, headers = signed({})
    with pytest.raises(WebhookVerificationError, match="pass the raw body"):
        WebhookReceiver(SECRET, lambda event: None).receive(body, headers)


@pytest.mark.parametrize("event", [None, 7, {}, "text"])
def test_a_signed_body_that_is_no_event_is_refused(event):
    with pytest.raises(WebhookVerificationError):
        WebhookReceiver(SECRET, lambda event: None).receive(*signed(event))


def test_a_body_that_is_not_utf_8_is_refused():
    _, headers = signed({"eventId": "event-1"})
    with pytest.raises(WebhookVerificationError):
        WebhookReceiver(SECRET, lambda event: None).receive(b"{\xff}", headers)


@pytest.mark.parametrize(
    "address, meant",
    [
        ("gateway.example.org", "use https://gateway.example.org$"),
        ("localhost:8080", "use http://localhost:8080$"),
        ("https://gateway.example.org/api/v1", "use https://gateway.example.org$"),
        ("https://example.org/shop/api/v1/scent/offers", "use https://example.org/shop$"),
        ("https://vc:secret@gateway.example.org", "has a user or a password"),
        ("ftp://gateway.example.org", "is not a URL"),
        ("", "is not a URL"),
    ],
)
def test_a_wrong_address_is_refused_with_the_one_that_is_meant(address, meant):
    with pytest.raises(ValueError, match=meant):
        VendorGateway(address, "vc_1", "vs_1")


def test_a_redirect_is_neither_followed_nor_repeated(without_waits):
    location = f"https://user@new.example.org{OFFERS}?token=secret"
    client, recorder = connect(httpx.Response(308, headers={"location": location}))
    with pytest.raises(VendorGatewayError, match="location https://new.example.org/") as caught:
        client.call("GET", OFFERS)
    assert caught.value.state == "REDIRECTED"
    assert caught.value.details["baseUrl"] == "https://new.example.org"
    assert recorder.calls.count(f"GET {OFFERS}") == 1 and without_waits == []


@pytest.mark.parametrize("headers", [{}, {"location": "https://["}, {"location": ""}])
def test_a_redirect_that_names_no_address_is_an_error_of_the_gateway(headers, without_waits):
    client, recorder = connect(httpx.Response(302, headers=headers))
    with pytest.raises(VendorGatewayError, match="REDIRECTED .302.") as caught:
        client.call("GET", OFFERS)
    assert (caught.value.state, caught.value.status) == ("REDIRECTED", 302)
    assert recorder.calls.count(f"GET {OFFERS}") == 1 and without_waits == []


def test_an_answer_that_cannot_be_decoded_is_an_error_of_the_gateway():
    # httpx decodes a body when it reads it, so that the first read fails.
    broken = httpx.Response(
        200, headers={"content-encoding": "gzip"}, stream=httpx.ByteStream(b"plain")
    )
    client, _ = connect(broken, attempts_max=1)
    with pytest.raises(VendorGatewayError, match="DecodingError"):
        client.call("GET", OFFERS)


def test_the_message_has_the_first_fields_and_the_cause_of_a_failed_connection():
    client, _ = connect()
    with pytest.raises(VendorGatewayError, match="VALIDATION_ERRORS .400.: RawBrandName is "):
        client.call("POST", OFFERS, json={"cost": 1, "costIsVatInclusive": False})
    client, _ = connect(httpx.ConnectError("Connection refused"), attempts_max=1)
    with pytest.raises(VendorGatewayError, match="ConnectError; message Connection refused"):
        client.call("GET", OFFERS)
