"""What Schemathesis has to know of this gateway beyond its OpenAPI document.

Checks of our own, which judge every response; and the few built-in expectations that the API's
specification contradicts, each narrowed to exactly the response that it wants instead.
"""

import itertools
import json
import os
import re
import uuid
from urllib.parse import urlsplit

import schemathesis
from hypothesis import strategies as st
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.meta import CONTENT_TYPE_PROBES, CoverageScenario, coverage_scenario
from schemathesis.openapi.checks import (
    EnsureResourceAvailability,
    RejectedPositiveData,
    UnsupportedMethodResponse,
)

RECEIVER = os.environ["CONTRACT_RECEIVER"]
TOKEN_ROUTES = {
    "POST /api/v1/auth/token": json.loads(os.environ["CONTRACT_CLIENT"]),
    "POST /operator/v1/auth/token": json.loads(os.environ["CONTRACT_OPERATOR"]),
}


# Values


def gtin(digits):
    weighed = sum(
        int(digit) * (1 if index % 2 else 3) for index, digit in enumerate(reversed(digits))
    )
    return digits + str(-weighed % 10)


# JSON Schema has no words for a check digit, so the document names a format of its own.
schemathesis.openapi.format(
    "gtin",
    st.sampled_from((7, 11, 12, 13))
    .flatmap(lambda length: st.text("0123456789", min_size=length, max_size=length))
    .filter(lambda digits: digits.strip("0"))
    .map(gtin),
)

# A call that switches one of these off, or its agreement, would disturb all later calls: it gets a
# spare one instead. The credentials are those of the vendors' tokens: a vendor may have only 20 of
# them, so that no token has a credential of its own. Only one subscription has attempts to
# redeliver.
SPARES = json.loads(os.environ["CONTRACT_SPARES"])
SWITCHES = {
    "PATCH /operator/v1/vendors/{id}/active",
    "PATCH /operator/v1/vendors/{id}/agreement",
    "PATCH /operator/v1/variants/{id}/active",
    "PATCH /operator/v1/credentials/{id}/active",
    "PATCH /operator/v1/operators/{id}/active",
    "POST /operator/v1/operators/{id}/rotate-secret",
    "PATCH /api/v1/credentials/{id}/active",
    "DELETE /api/v1/credentials/{id}",
    "PATCH /api/v1/webhooks/{id}/active",
    "DELETE /api/v1/webhooks/{id}",
}

# At most two decimals: JSON Schema's multipleOf would say it, and most validators, which divide
# floats, would refuse 0.07.
DECIMALS = {"cost", "salePrice", "markupPercent", "commissionPercent"}


def two_decimals(value):
    return max(0.01, round(value, 2)) if isinstance(value, float) else value


def with_two_decimals(fields):
    if not isinstance(fields, dict):
        return fields
    return {key: two_decimals(value) if key in DECIMALS else value for key, value in fields.items()}


turn = itertools.count()


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """An extension for the sake of readers and client generators is part of the schema here."""
    apply_extensions(raw_schema)


def apply_extensions(schema):
    if isinstance(schema, dict):
        if "x-rules" in schema:
            schema["allOf"] = schema.pop("x-rules")
        if "x-pattern" in schema:
            schema["pattern"] = schema.pop("x-pattern")
        if "x-extensible-enum" in schema:
            nulls = [None] if "null" in schema["type"] else []
            schema["enum"] = schema.pop("x-extensible-enum") + nulls
        for inner in schema.values():
            apply_extensions(inner)
    elif isinstance(schema, list):
        for inner in schema:
            apply_extensions(inner)


# The items of a job as files.
ROWS = {
    "text/csv": "vendorExternalId,declaredInStock\nerp-10042,true\n",
}

# The results of a job may be a file.
FILES = (["text/csv; charset=utf-8"],)


@schemathesis.hook
def before_call(context, case, kwargs):
    """Keeps webhooks on this machine, and what other calls need switched on.

    Some of the well-formed log-ins are of real accounts.
    """
    label = case.operation.label
    if not is_negative(case):
        creates_something_new(case)
        is_consistent(case)
    spare = SPARES.get((case.path_parameters or {}).get("id"))
    if label in SWITCHES and spare is not None:
        case.path_parameters = {**case.path_parameters, "id": spare}
    if not isinstance(case.body, dict):
        return
    if not is_negative(case):
        case.body = with_two_decimals(case.body)
        if isinstance(case.body.get("items"), list):
            items = [with_two_decimals(item) for item in case.body["items"]]
            case.body = {**case.body, "items": items}
    url = case.body.get("url")
    is_reached = isinstance(url, str) and urlsplit(url).scheme in ("http", "https")
    if "/webhooks" in case.path and is_reached:
        case.body = {**case.body, "url": f"{RECEIVER}/generated"}
    if label in TOKEN_ROUTES and not is_negative(case) and next(turn) % 2 == 0:
        case.body = dict(TOKEN_ROUTES[label])


def creates_something_new(case):
    """Gives each creation a key of its own, and asks for no preview.

    Generators like to repeat a key, which then belongs to another body; and a link leads to nothing
    that a preview has created.
    """
    if case.headers and "Idempotency-Key" in case.headers:
        case.headers = {**case.headers, "Idempotency-Key": str(uuid.uuid4())}
    if case.method == "POST" and (case.query or {}).get("validateOnly") == "true":
        case.query = {**case.query, "validateOnly": "false"}


def is_consistent(case):
    """What no schema says.

    A long poll waits for an event that does not come, the kind of a JSON body stands in the body
    alone, a file of items has rows, and a header has its name once.
    """
    query = case.query or {}
    if "wait" in query:
        case.query = {**query, "wait": "0"}
    if "kind" in query and isinstance(case.body, dict):
        case.query = {name: value for name, value in query.items() if name != "kind"}
    if case.media_type in ROWS:
        case.body = ROWS[case.media_type]
        case.query = {**query, "kind": "pushStocks"}
    if isinstance(case.body, dict) and isinstance(case.body.get("headers"), list):
        named = {str(header["name"]).lower(): header for header in case.body["headers"]}
        case.body = {**case.body, "headers": list(named.values())}


def is_negative(case):
    return case.meta is not None and case.meta.generation.mode.is_negative


# Checks of our own


@schemathesis.check
def responses_in_the_envelope(ctx, response, case):
    """Every response, also to what is no request: JSON, in the envelope, with its request id."""
    assert response.headers.get("x-request-id"), "no X-Request-Id"
    if response.status_code == 200 and response.headers.get("content-type") in FILES:
        return
    content_type = response.headers.get("content-type")
    assert content_type == ["application/json; charset=utf-8"], "not JSON in UTF-8"
    body = response.json()
    is_envelope = isinstance(body, dict) and set(body) == {"state", "payload", "details"}
    assert is_envelope, f"not the envelope: {body}"
    is_success = 200 <= response.status_code < 300
    state = body["state"]
    assert is_success == (state == "SUCCESS"), f"{state} with {response.status_code}"
    assert is_success or body["payload"] is None, "an error with a payload"
    assert isinstance(body["details"], dict), "details are no object"


@schemathesis.check
def refuses_what_it_does_not_take(ctx, response, case):
    """A method that a path does not have is no route.

    A body in another media type is refused, whatever else is wrong.
    """
    scenario = coverage_scenario(case)
    if scenario is CoverageScenario.UNSPECIFIED_HTTP_METHOD:
        is_no_route = has_code(response, 404, "NOT_FOUND_ROUTE")
        assert is_no_route, "an undeclared method must be 404 NOT_FOUND_ROUTE"
    elif scenario in CONTENT_TYPE_PROBES and response.request.body:
        is_refused = has_code(response, 415, "UNSUPPORTED_MEDIA_TYPE")
        assert is_refused, "a foreign media type must be 415"


@schemathesis.check
def judges_the_body_before_the_resource(ctx, response, case):
    """A malformed body is 400 also where its path names nothing."""
    meta = case.meta
    body = ParameterLocation.BODY
    if meta is None or not meta.is_negative_at(body):
        return
    if coverage_scenario(case) in CONTENT_TYPE_PROBES:
        return
    others = [part for where, part in meta.components.items() if where is not body]
    if any(part.mode.is_negative for part in others):
        return
    is_first = response.status_code != 404
    assert is_first, "a malformed body must be refused before a missing resource"


def has_code(response, status, state):
    return response.status_code == status and response.json()["state"] == state


# Expectations that the specification contradicts

# What a well-formed body may meet in the data, by route: (field, code) of a VALIDATION_ERRORS
# entry.
REFUSED_BY_THE_DATA = {
    "POST /api/v1/scent/offers": {("VariantId", "unknown_variant")},
    "PATCH /api/v1/scent/offers/{id}": {
        ("Barcode", "required"),
        ("VendorExternalId", "taken"),
        ("RawBrandName", "required"),
        ("RawProductName", "required"),
    },
    "PATCH /api/v1/scent/offers/{id}/cost": {("Barcode", "required")},
    "PATCH /api/v1/scent/offers/{id}/sale-price": {("Barcode", "required")},
    "PATCH /api/v1/scent/offers/{offerId}/stock": {("Barcode", "required")},
    "PATCH /api/v1/scent/orders/{groupId}": {
        ("CarrierNameOther", "required"),
        ("CarrierNameOther", "not_allowed"),
    },
    "POST /api/v1/scent/offers/{id}/submit": {("Barcode", "required")},
    "POST /operator/v1/vendors/{id}/offers": {("VariantId", "unknown_variant")},
    "POST /operator/v1/offers/{id}/approve": {
        ("VariantId", "required"),
        ("VariantId", "unknown_variant"),
    },
    "PATCH /operator/v1/groups/{id}": {
        ("CarrierNameOther", "required"),
        ("CarrierNameOther", "not_allowed"),
    },
    "POST /operator/v1/groups/{id}/assign": {("VendorId", "unknown")},
    "POST /operator/v1/orders": {
        ("Groups[].VendorId", "unknown"),
        ("Groups[].Lines[].VariantId", "unknown"),
    },
    "POST /operator/v1/returns": {
        ("OrderGlobalId", "unknown"),
        ("VendorId", "not_of_lines"),
        ("Lines[].LineId", "unknown"),
        ("Lines[].Quantity", "too_large"),
    },
    "POST /operator/v1/operators": {("OperatorId", "taken")},
    # JSON Schema has no words for the names of IANA's time zones.
    "PATCH /operator/v1/me": {("TimeZone", "invalid_time_zone")},
    "POST /operator/v1/variants": {("Sku", "taken")},
}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Whether a failure counts."""
    if isinstance(failure, UnsupportedMethodResponse):
        # The specification knows no 405: "no route matches" (404). refuses_what_it_does_not_take
        # asserts it.
        return not has_code(response, 404, "NOT_FOUND_ROUTE")
    if isinstance(failure, RejectedPositiveData) and response.status_code == 400:
        return not is_refused_by_the_data(case, response.json())
    if isinstance(failure, AcceptedNegativeData):
        return not is_older_form_of_model_2(case, response)
    if isinstance(failure, EnsureResourceAvailability):
        # before_call has named a spare instead, which an earlier call may have deleted.
        return (case.path_parameters or {}).get("id") not in SPARES.values()
    return True


def is_older_form_of_model_2(case, response):
    """The older form of update-offer is 422 under Model 2 also where it lacks a field."""
    return (
        case.operation.label == "PATCH /api/v1/scent/offers/{id}"
        and isinstance(case.body, dict)
        and not {"declaredInStock", "declaredStockQuantity"}.isdisjoint(case.body)
        and has_code(response, 422, "BUSINESS_OFFER_PRICE_FIELD_NOT_FOR_AGREEMENT")
    )


def is_refused_by_the_data(case, envelope):
    label = case.operation.label
    if envelope["state"] == "VALIDATION_INVALID_DATE":
        # The search of orders has its range in the body.
        body = case.body if isinstance(case.body, dict) else {}
        return is_range_backwards(case.query or {}) or is_range_backwards(body)
    if envelope["state"] == "VALIDATION_WEBHOOK_EVENT_TYPE_NOT_SUBSCRIBED":
        return case.body["eventType"] not in envelope["details"]["allowedValues"]
    if envelope["state"] != "VALIDATION_ERRORS":
        return False
    faults = {
        (re.sub(r"\[\d+\]", "[]", entry["field"]), entry["code"])
        for entry in envelope["details"]["errors"]
    }
    return faults <= REFUSED_BY_THE_DATA.get(label, set())


def is_range_backwards(query):
    """No document can say that one parameter must not be after another."""
    ranges = (("from", "to"), ("awaitingFrom", "awaitingTo"))
    return any(
        first in query and last in query and instant(query[first]) > instant(query[last])
        for first, last in ranges
    )


def instant(text):
    from datetime import datetime, timezone

    parsed = datetime.fromisoformat(text.upper().replace("Z", "+00:00"))
    if parsed.year > 1:
        return parsed.timestamp()
    return parsed.replace(tzinfo=timezone.utc).timestamp()
