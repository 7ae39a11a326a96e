"""Calls the gateway with the client that openapi-python-client generates."""

import json
import os
from datetime import datetime, timezone
from pathlib import Path
from uuid import uuid4

from vendor_gateway import AuthenticatedClient, Client
from vendor_gateway.api.offers import create_offer, get_offer, list_offers, push_cost
from vendor_gateway.api.token import create_token
from vendor_gateway.models import (
    CreateOfferRequest,
    CreateTokenRequest,
    Error,
    OfferWithHistory,
    PushCostRequest,
    VendorOrderAssignedEvent,
)

folder = Path(os.environ["SAMPLES"])
base_url = os.environ["GATEWAY_URL"]


def sample(name):
    return json.loads((folder / name).read_text())


def check(is_true, name):
    print(f"{'ok' if is_true else 'FAILED'} {name}")
    if not is_true:
        raise SystemExit(1)


credential = CreateTokenRequest(
    client_id=os.environ["CLIENT_ID"], client_secret=os.environ["CLIENT_SECRET"]
)
token = create_token.sync(client=Client(base_url=base_url), body=credential).payload.access_token
client = AuthenticatedClient(base_url=base_url, token=token)
check(token != "", "token")

body = CreateOfferRequest(
    raw_brand_name="Maison Dahab",
    raw_product_name="Oud 50",
    vendor_external_id="python",
    cost=100,
    cost_is_vat_inclusive=False,
)
offer_id = create_offer.sync(client=client, body=body).payload.id
check(create_offer.sync(client=client, body=body).payload.id == offer_id, "create")

for amount in (1234567.89, 0.07, 9999999.99):
    cost = PushCostRequest(cost=amount, cost_is_vat_inclusive=False)
    pushed = push_cost.sync(offer_id, client=client, body=cost)
    read = get_offer.sync_detailed(offer_id, client=client)
    exact = pushed.payload.cost.amount == amount == read.parsed.payload.cost.amount
    check(exact and f'"amount":{amount},' in read.content.decode(), f"money {amount}")

page = list_offers.sync(client=client, page=1, page_size=1, vendor_external_id="python").payload
check(page.pagination.total_count == 1 and page.items[0].id == offer_id, "list")

start = datetime(2000, 1, 1, tzinfo=timezone.utc)
first = list_offers.sync(client=client, changed_since=start)
position = first.details.next_changed_since
seen = list_offers.sync(client=client, changed_since=position)
push_cost.sync(offer_id, client=client, body=PushCostRequest(cost=5, cost_is_vat_inclusive=False))
changed = list_offers.sync(client=client, changed_since=position).payload.items
check(len(first.payload.items) == 1 and not seen.payload.items and len(changed) == 1, "delta")

event = VendorOrderAssignedEvent.from_dict(sample("event.json"))
check(event.event_type == "vendor.order.assigned" and event.data.lines[0].quantity == 2, "event")

invalid = create_offer.sync(
    client=client, body=CreateOfferRequest(cost=1, cost_is_vat_inclusive=False)
)
missing = get_offer.sync(uuid4(), client=client)
assert isinstance(invalid, Error) and isinstance(missing, Error)
fields = [entry.field for entry in invalid.details.errors]
check(invalid.state == "VALIDATION_ERRORS" and "RawBrandName" in fields, "error details")
check(missing.state == "NOT_FOUND_VENDOR_OFFER", "error state")

later = OfferWithHistory.from_dict(sample("later-offer.json"))
check(later.status == "ALaterStatus" and later.cost.amount == 1234567.89, "later offer")
check(
    VendorOrderAssignedEvent.from_dict(sample("later-event.json")).data.status == "ALaterStatus",
    "later event",
)
check(Error.from_dict(sample("later-error.json")).state == "A_LATER_CODE", "later error")
