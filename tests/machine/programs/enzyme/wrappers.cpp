// A typed front for the calls, as C++ libraries write it: markers travel in tuples and by address, and the result has an
// empty member for each argument without a derivative.
#include "check.h"
#include <tuple>
#include <utility>

extern int enzyme_dup, enzyme_out, enzyme_const;
extern int enzyme_active_return, enzyme_dup_return, enzyme_primal_return, enzyme_noret;
template <typename Result, typename... Arguments> Result __enzyme_autodiff(Arguments...);
template <typename Result, typename... Arguments> Result __enzyme_fwddiff(Arguments...);

#define INLINED __attribute__((always_inline))
struct Nothing {};
template <int I, typename T> struct Slot {
  T value;
};
template <typename Indices, typename... T> struct Slots;
template <int... I, typename... T> struct Slots<std::integer_sequence<int, I...>, T...> : Slot<I, T>... {};
template <typename... T> struct Pack : Slots<std::make_integer_sequence<int, sizeof...(T)>, T...> {};
template <int I, typename T> T &at(Slot<I, T> &slot) { return slot.value; }

template <typename T> struct Active {
  T value;
};
template <typename T> struct Const {
  T value;
};
template <typename T> struct Duplicated {
  T value, shadow;
};
template <typename T> struct gradient_of {
  using type = Nothing;
};
template <typename T> struct gradient_of<Active<T>> {
  using type = T;
};
template <typename T> INLINED auto expand(const Active<T> &x) { return std::tuple<int, T>{enzyme_out, x.value}; }
template <typename T> INLINED auto expand(const Const<T> &x) { return std::tuple<int, T>{enzyme_const, x.value}; }
template <typename T> INLINED auto expand(const Duplicated<T> &x) {
  return std::tuple<int, T, T>{enzyme_dup, x.value, x.shadow};
}

template <typename Result, typename Tuple, std::size_t... I>
INLINED Result call_reverse(void *f, int *activity, Tuple &&t, std::index_sequence<I...>) {
  return __enzyme_autodiff<Result>(f, activity, std::get<I>(t)...);
}
template <typename Result, typename Tuple, std::size_t... I>
INLINED Result call_forward(void *f, int *activity, Tuple &&t, std::index_sequence<I...>) {
  return __enzyme_fwddiff<Result>(f, activity, std::get<I>(t)...);
}
template <typename F, typename... A> INLINED auto reverse(F *f, A... a) {
  auto all = std::tuple_cat(std::tuple<int *>{&enzyme_noret}, expand(a)...);
  return call_reverse<Pack<Pack<typename gradient_of<A>::type...>>>(
      (void *)f, &enzyme_active_return, all, std::make_index_sequence<std::tuple_size<decltype(all)>::value>{});
}
template <typename F, typename... A> INLINED auto value_and_reverse(F *f, A... a) {
  auto all = std::tuple_cat(std::tuple<int *>{&enzyme_primal_return}, expand(a)...);
  return call_reverse<Pack<double, Pack<typename gradient_of<A>::type...>>>(
      (void *)f, &enzyme_active_return, all, std::make_index_sequence<std::tuple_size<decltype(all)>::value>{});
}
template <typename F, typename... A> INLINED auto value_and_forward(F *f, A... a) {
  auto all = std::tuple_cat(std::tuple<int *>{&enzyme_primal_return}, expand(a)...);
  return call_forward<Pack<double, double>>((void *)f, &enzyme_dup_return, all,
                                            std::make_index_sequence<std::tuple_size<decltype(all)>::value>{});
}

static double two(double x, double y) { return x * x * y; }
static double three(double x, double y, double z) { return x * x * y * z; }
static double pointed(const double *p, double y) { return p[0] * p[1] * y; }

int main() {
  auto both = reverse(two, Active<double>{3}, Active<double>{5});
  check("both.x", at<0>(at<0>(both)), 30);
  check("both.y", at<1>(at<0>(both)), 9);
  auto first = reverse(two, Active<double>{3}, Const<double>{5});
  check("first", at<0>(at<0>(first)), 30);
  auto second = reverse(two, Const<double>{3}, Active<double>{5});
  check("second", at<1>(at<0>(second)), 9);
  auto outer = reverse(three, Active<double>{3}, Const<double>{5}, Active<double>{2});
  check("outer.x", at<0>(at<0>(outer)), 60);
  check("outer.z", at<2>(at<0>(outer)), 45);
  double p[2] = {2, 3}, dp[2] = {0, 0};
  auto mixed = reverse(pointed, Duplicated<double *>{p, dp}, Active<double>{5});
  check("mixed.y", at<1>(at<0>(mixed)), 6);
  check("mixed.p", dp[0], 15);
  auto none = reverse(pointed, Duplicated<double *>{p, dp}, Const<double>{5});
  check("none.p", dp[1], 20);
  (void)none;
  auto value = value_and_reverse(pointed, Const<double *>{p}, Active<double>{5});
  check("value", at<0>(value), 30);
  check("value.y", at<1>(at<1>(value)), 6);
  auto dual = value_and_forward(two, Duplicated<double>{3, 1}, Const<double>{5});
  check("dual", at<0>(dual), 45);
  check("dual tangent", at<1>(dual), 30);
  return 0;
}
