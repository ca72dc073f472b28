"""Which object a click means, and the order in which expressions come."""

from annotation.pair.rules import in_order, object_at


def box(key, *place):
    return {"key": key, "category": "panda", "box": list(place)}


BOXES = [box("large", 0, 0, 100, 100), box("small", 40, 40, 20, 20), box("right", 100, 0, 50, 100)]


def test_the_smallest_box_that_holds_a_point_decides():
    assert object_at(BOXES, 50, 50) == "small"
    assert object_at(BOXES, 10, 10) == "large"
    assert object_at(BOXES, 200, 10) == ""
    assert object_at([], 1, 1) == ""


def test_edges_belong_to_a_box_and_on_a_common_one_the_smaller_counts():
    for x, y in ((40, 40), (60, 60), (40, 60), (60, 40)):
        assert object_at(BOXES, x, y) == "small"
    assert object_at(BOXES, 100, 50) == "right"  # 50 x 100 is smaller than 100 x 100
    assert object_at(BOXES, 150.004, 50) == "right"  # places are kept to hundredths
    assert object_at(BOXES, 150.01, 50) == ""


def test_of_boxes_of_one_size_the_first_counts():
    assert object_at([box("a", 0, 0, 10, 10), box("b", 5, 0, 10, 10)], 7, 5) == "a"


def test_the_order_is_random_the_same_again_and_another_for_another_person():
    keys = [f"k{n}" for n in range(4)]
    seeds = [bytes([n]) * 16 for n in range(60)]
    orders = [tuple(in_order(seed, 7, keys)) for seed in seeds]
    assert all(sorted(order) == keys for order in orders)
    assert len(set(orders)) > 15  # of 24
    assert orders == [tuple(in_order(seed, 7, reversed(keys))) for seed in seeds]
    assert orders != [tuple(in_order(seed, 8, keys)) for seed in seeds]
