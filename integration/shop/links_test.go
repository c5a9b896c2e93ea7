package shop_test

import (
	"fmt"
	"testing"
)

// follow says which resource the links of each relation lead to.
var follow = map[string]map[string]string{
	"addresses":          {"customer": "customers"},
	"categories":         {"parent": "categories"},
	"customers":          {"referrer": "customers"},
	"order_lines":        {"list_price": "prices", "product": "products", "order": "orders"},
	"orders":             {"customer_totals": "customer_totals", "customer": "customers"},
	"product_categories": {"product": "products", "category": "categories", "stats": "product_stats"},
	"product_tags":       {"product": "products", "tag": "tags"},
	"prices":             {"list": "price_lists", "product": "products"},
	"stock":              {"warehouse": "warehouses", "product": "products"},
	"returns":            {"line": "order_lines"},
	"reminders":          {"invoice": "invoices"},
	"employees":          {"boss": "employees", "deputy": "employees"},
	"customer_totals":    {"customer": "customers"},
	"open_orders":        {"order": "orders"},
	"product_stats":      {"product": "products"},
}

// A link is a key that get takes, whatever the key is made of: numbers beyond 2^53, uuids, texts of any
// characters, codes of fixed width, several columns, a key that no field shows, and the row's own table.
func TestEveryLinkLeadsToItsRow(t *testing.T) {
	t.Parallel()
	s := open(t)
	for name, relations := range follow {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, m := range merchants[:2] {
				found := map[string]int{}
				for _, r := range s.walk(t, listing{token: m.token, resource: name, limit: 100}, 1000, func(page) {}) {
					links, _ := parsed(t, r["links"]).(map[string]any)
					for relation, target := range relations {
						if s.follow(t, m, target, links[relation]) {
							found[relation]++
						}
					}
				}
				for relation, target := range relations {
					if found[relation] == 0 {
						t.Errorf("merchant %d: no %s leads to %s", m.id, relation, target)
					}
				}
			}
		})
	}
}

// follow gets the row of a link: one that is there, since foreign keys say so, unless the resource leaves it out.
func (s *shop) follow(t *testing.T, m merchant, target string, id any) bool {
	t.Helper()
	if id == nil {
		return false
	}
	a := s.call(t, m.token, "get", map[string]any{"resource": target, "id": id})
	if a.isError && (a.code(t) != "not_found" || target != "order_lines") {
		t.Errorf("merchant %d: the link %v to %s: %s", m.id, id, target, a.body)
	}
	return !a.isError
}

// A polymorphic link shows the type and the key as they stand, also where they lead nowhere.
func TestPolymorphicLinks(t *testing.T) {
	t.Parallel()
	s := open(t)
	m := merchants[0]
	seen, led := map[string]int{}, map[string]int{}
	for _, r := range s.walk(t, listing{token: m.token, resource: "reviews", limit: 100}, 1000, func(page) {}) {
		var links struct{ Subject *struct{ Type, ID string } }
		decode(t, r["links"], &links)
		if links.Subject == nil {
			seen["none"]++
			if string(r["subject_type"]) != "null" {
				t.Errorf("a review of %s has no link", r["subject_type"])
			}
			continue
		}
		seen[links.Subject.Type]++
		if links.Subject.Type != plainText(t, r["subject_type"]) || links.Subject.ID != plainText(t, r["subject_id"]) {
			t.Errorf("the link %v of %s %s", *links.Subject, r["subject_type"], r["subject_id"])
		}
		target, known := map[string]string{"Product": "products", "Order": "orders"}[links.Subject.Type]
		if !known {
			continue
		}
		a := s.call(t, m.token, "get", map[string]any{"resource": target, "id": links.Subject.ID})
		switch {
		case !a.isError:
			led[target]++
		case a.code(t) != "not_found":
			t.Errorf("%v: %s", *links.Subject, a.body)
		}
	}
	if fmt.Sprint(len(seen)) != "4" {
		t.Errorf("the reviews are of %v", seen)
	}
	if led["products"] == 0 || led["orders"] == 0 {
		t.Errorf("the links lead to %v", led)
	}
}
