// Calls the gateway with the client that oapi-codegen generates.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/uuid"

	"example.com/client/gateway"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func check(isTrue bool, name string) {
	if !isTrue {
		fmt.Println("FAILED", name)
		os.Exit(1)
	}
	fmt.Println("ok", name)
}

func sample[T any](name string) T {
	var value T
	text := must(os.ReadFile(filepath.Join(os.Getenv("SAMPLES"), name)))
	if err := json.Unmarshal(text, &value); err != nil {
		panic(err)
	}
	return value
}

func pointer[T any](value T) *T { return &value }

func main() {
	ctx := context.Background()
	server := os.Getenv("GATEWAY_URL")
	anonymous := must(gateway.NewClientWithResponses(server))
	issued := must(anonymous.CreateTokenWithResponse(ctx, gateway.CreateTokenRequest{
		ClientId: os.Getenv("CLIENT_ID"), ClientSecret: os.Getenv("CLIENT_SECRET"),
	}))
	check(issued.JSON200 != nil, "token")
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+issued.JSON200.Payload.AccessToken)
		return nil
	}
	client := must(gateway.NewClientWithResponses(server, gateway.WithRequestEditorFn(authorize)))

	body := gateway.CreateOfferRequest{
		RawBrandName: pointer("Maison Dahab"), RawProductName: pointer("Oud 50"),
		VendorExternalId: pointer("go"), Cost: 100,
	}
	created := must(client.CreateOfferWithResponse(ctx, nil, body)).JSON201
	repeated := must(client.CreateOfferWithResponse(ctx, nil, body)).JSON200
	check(created != nil && repeated != nil && created.Payload.Id == repeated.Payload.Id, "create")
	id := created.Payload.Id

	push := func(cost float64) *gateway.PushCostResponse {
		return must(client.PushCostWithResponse(ctx, id, nil, gateway.PushCostRequest{Cost: cost}))
	}
	for _, amount := range []float64{1234567.89, 0.07, 9999999.99} {
		pushed := push(amount).JSON200
		read := must(client.GetOfferWithResponse(ctx, id, nil))
		text := fmt.Appendf(nil, `"amount":%s,`, must(json.Marshal(amount)))
		isExact := pushed != nil && pushed.Payload.Cost.Amount == amount &&
			read.JSON200.Payload.Cost.Amount == amount && bytes.Contains(read.Body, text)
		check(isExact, fmt.Sprint("money ", string(must(json.Marshal(amount)))))
	}

	list := func(params gateway.ListOffersParams) *gateway.OfferWithHistoryPageResponse {
		return must(client.ListOffersWithResponse(ctx, &params)).JSON200
	}
	one := pointer[int32](1)
	page := list(gateway.ListOffersParams{PageSize: one, VendorExternalId: pointer("go")})
	check(page.Payload.Pagination.TotalCount == 1 && page.Payload.Items[0].Id == id, "list")

	start := time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
	first := list(gateway.ListOffersParams{ChangedSince: &start})
	position := first.Details.NextChangedSince
	seen := list(gateway.ListOffersParams{ChangedSince: position})
	push(5)
	changed := list(gateway.ListOffersParams{ChangedSince: position})
	check(len(first.Payload.Items) == 1 && len(seen.Payload.Items) == 0 &&
		len(changed.Payload.Items) == 1, "delta")

	event := sample[gateway.VendorOrderAssignedEvent]("event.json")
	check(event.EventType == "vendor.order.assigned" && event.Data.Lines[0].Quantity == 2, "event")

	empty := gateway.CreateOfferRequest{Cost: 1}
	invalid := must(client.CreateOfferWithResponse(ctx, nil, empty)).JSON400
	check(invalid.State == "VALIDATION_ERRORS" &&
		slices.ContainsFunc(*invalid.Details.Errors, func(each gateway.FieldError) bool {
			return each.Field == "RawBrandName"
		}), "error details")
	missing := must(client.GetOfferWithResponse(ctx, uuid.New(), nil)).JSON404
	check(missing.State == "NOT_FOUND_VENDOR_OFFER", "error state")

	later := sample[gateway.OfferWithHistory]("later-offer.json")
	check(later.Status == "ALaterStatus" && later.Cost.Amount == 1234567.89, "later offer")
	laterEvent := sample[gateway.VendorOrderAssignedEvent]("later-event.json")
	check(laterEvent.Data.Status == "ALaterStatus", "later event")
	check(sample[gateway.Error]("later-error.json").State == "A_LATER_CODE", "later error")
}
