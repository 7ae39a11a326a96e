-- The returned quantity of an order's line, at each new return of it.
create index return_lines_of_order_line on return_lines (order_line_id);
