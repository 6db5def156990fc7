// SPDX-FileCopyrightText: 2026 Volary contributors
// SPDX-License-Identifier: Apache-2.0
#include "scenario/daveml.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <random>

namespace volary::scenario {
namespace {

std::string file_with(const std::string& body) {
  return "<?xml version=\"1.0\"?>\n<DAVEfunc xmlns=\"http://daveml.org/2010/DAVEML\">\n<fileHeader name=\"small\"/>\n" + body + "</DAVEfunc>\n";
}
std::string math_of(const std::string& formula) {
  return "<calculation><math xmlns=\"http://www.w3.org/1998/Math/MathML\">" + formula + "</math></calculation>";
}
std::string variable(const std::string& id, const std::string& rest = "", const std::string& attributes = "") {
  return "<variableDef name=\"" + id + "_name\" varID=\"" + id + "\" units=\"nd\" " + attributes + ">" + rest + "</variableDef>\n";
}
std::string input(const std::string& id, const std::string& attributes = "") { return variable(id, "<isInput/>", attributes); }

// the value of `id` after x and y were set
double value_of(const std::string& body, const std::string& id, double x, double y = 0) {
  const core::Result<DaveModel> dave = parse_daveml(file_with(body), "small.dml");
  EXPECT_TRUE(dave) << (dave ? "" : dave.error().text());
  if (!dave) return std::nan("");
  std::vector<double> slots = dave.value().model.calculation.initial;
  for (const auto& [name, value] : {std::pair<const char*, double>{"x", x}, {"y", y}})
    if (const auto* v = dave.value().model.find_id(name)) slots[static_cast<std::size_t>(v->set_slot)] = value;
  math::evaluate<double>(dave.value().model.calculation, slots);
  return slots[static_cast<std::size_t>(dave.value().model.find_id(id)->slot)];
}
double formula(const std::string& text, double x, double y = 0) { return value_of(input("x") + input("y") + variable("z", math_of(text)), "z", x, y); }

std::string applied(const std::string& operation, const std::string& operands) { return "<apply><" + operation + "/>" + operands + "</apply>"; }
const std::string kXY = "<ci>x</ci><ci>y</ci>";

core::Error error_of(const std::string& body) {
  const core::Result<DaveModel> dave = parse_daveml(file_with(body), "bad.dml");
  EXPECT_FALSE(dave) << body;
  return dave ? core::Error{} : dave.error();
}
void expect_error(const std::string& body, int line, const std::string& message, const std::string& suggestion = "") {
  const core::Error e = error_of(body);
  EXPECT_EQ(e.file, "bad.dml");
  EXPECT_EQ(e.line, line) << e.text();
  EXPECT_NE(e.message.find(message), std::string::npos) << e.text();
  EXPECT_NE(e.suggestion.find(suggestion), std::string::npos) << e.text();
}

const std::string kGrid =
    "<breakpointDef name=\"b\" bpID=\"BX\"><bpVals>0, 1, 3</bpVals></breakpointDef>\n"
    "<breakpointDef name=\"b\" bpID=\"BY\"><bpVals>-1 1</bpVals></breakpointDef>\n";
std::string grid_function(const std::string& values, const std::string& x_attributes = "",
                          const std::string& refs = "<bpRef bpID=\"BX\"/><bpRef bpID=\"BY\"/>") {
  return input("x") + input("y") + variable("z") + kGrid + "<function name=\"f\"><independentVarRef varID=\"x\" " + x_attributes +
         "/><independentVarRef varID=\"y\"/><dependentVarRef varID=\"z\"/>\n<functionDefn name=\"d\"><griddedTableDef name=\"t\" "
         "gtID=\"T\">\n<breakpointRefs>" +
         refs + "</breakpointRefs>\n<dataTable>" + values + "</dataTable></griddedTableDef></functionDefn></function>\n";
}

TEST(daveml, formulas_compute_what_they_say) {
  EXPECT_EQ(formula(applied("plus", kXY + "<cn>10</cn>"), 1, 2), 13);
  EXPECT_EQ(formula(applied("minus", kXY), 1, 2), -1);
  EXPECT_EQ(formula(applied("minus", "<ci>x</ci>"), 7), -7);
  EXPECT_EQ(formula(applied("times", kXY + "<cn>-.5</cn>"), 3, 4), -6);
  EXPECT_EQ(formula(applied("divide", kXY), 3, 4), 0.75);
  EXPECT_EQ(formula(applied("power", "<ci>x</ci><cn>2</cn>"), -3), 9);
  EXPECT_EQ(formula(applied("power", "<ci>x</ci><cn>0.5</cn>"), 9), 3);
  EXPECT_DOUBLE_EQ(formula(applied("power", kXY), 2, 1.5), std::pow(2, 1.5));
  EXPECT_EQ(formula(applied("abs", "<ci>x</ci>"), -3), 3);
  EXPECT_DOUBLE_EQ(formula(applied("cos", "<ci>x</ci>"), 0.3), std::cos(0.3));
  EXPECT_DOUBLE_EQ(formula("<apply><csymbol definitionURL=\"u\" encoding=\"text\">atan2</csymbol>" + kXY + "</apply>", 1, -2), std::atan2(1, -2));
  EXPECT_EQ(formula(applied("gt", kXY), 2, 1), 1);
  EXPECT_EQ(formula(applied("geq", kXY), 1, 2), 0);
  EXPECT_EQ(formula(applied("neq", kXY), 1, 2), 1);
  EXPECT_DOUBLE_EQ(formula("<pi/>", 0), M_PI);
}

TEST(daveml, of_a_piecewise_formula_the_first_piece_that_holds_counts) {
  const std::string text = "<apply><piecewise><piece><cn>1</cn>" + applied("lt", "<ci>x</ci><cn>0</cn>") + "</piece><piece><cn>2</cn>" +
                           applied("lt", "<ci>x</ci><cn>10</cn>") + "</piece><otherwise><cn>3</cn></otherwise></piecewise></apply>";
  EXPECT_EQ(formula(text, -1), 1);
  EXPECT_EQ(formula(text, 5), 2);
  EXPECT_EQ(formula(text, 15), 3);
}

TEST(daveml, variables_may_stand_in_any_order) {
  const std::string body =
      variable("z", math_of(applied("plus", "<ci>w</ci><cn>1</cn>"))) + variable("w", math_of(applied("times", "<ci>x</ci><cn>2</cn>"))) + input("x");
  EXPECT_EQ(value_of(body, "z", 5), 11);
}

TEST(daveml, limits_hold_for_whoever_uses_the_variable) {
  const std::string body = input("x", "minValue=\"0.5\" maxValue=\"2\"") + variable("z", math_of("<ci>x</ci>"), "maxValue=\"1.5\"");
  EXPECT_EQ(value_of(body, "z", 0), 0.5);
  EXPECT_EQ(value_of(body, "z", 1), 1);
  EXPECT_EQ(value_of(body, "z", 9), 1.5);
  EXPECT_EQ(value_of(body, "x", 9), 2);
}

TEST(daveml, a_table_is_interpolated_between_its_breakpoints_and_held_outside) {
  const std::string body = grid_function("0, 10,<!-- last changes fastest -->\n 1, 11,\n 5, 15");
  EXPECT_EQ(value_of(body, "z", 1, -1), 1);
  EXPECT_EQ(value_of(body, "z", 2, 0), 8);
  EXPECT_EQ(value_of(body, "z", 99, 99), 15);
  EXPECT_EQ(value_of(grid_function("0 10 1 11 5 15", "extrapolate=\"max\""), "z", 4, -1), 7);
  EXPECT_EQ(value_of(grid_function("0 10 1 11 5 15", "max=\"2\""), "z", 99, -1), 3);
}

TEST(daveml, points_may_stand_in_the_function_itself) {
  const std::string body =
      input("x") + variable("z") +
      "<function name=\"f\"><independentVarPts varID=\"x\">0 2 4</independentVarPts><dependentVarPts varID=\"z\">1 5 5</dependentVarPts></function>\n";
  EXPECT_EQ(value_of(body, "z", 1), 3);
  EXPECT_EQ(value_of(body, "z", 9), 5);
}

TEST(daveml, an_unknown_element_is_an_error_with_its_line_and_a_suggestion) {
  expect_error(input("x") + "<variableDfe name=\"a\" varID=\"b\"/>\n", 5, "'variableDfe' is not known inside 'DAVEfunc'", "variableDef");
  expect_error(variable("z", "<calculus/>"), 4, "'calculus' is not known inside 'variableDef'", "calculation");
  expect_error(variable("z", "", "minvalue=\"1\""), 4, "no attribute 'minvalue'", "minValue");
  expect_error(input("x") + variable("z", math_of(applied("tims", "<ci>x</ci>"))), 5, "'tims' is not an operation", "times");
  expect_error(input("speed") + variable("z", math_of("<ci>spede</ci>")), 5, "no variable 'spede'", "speed");
}

TEST(daveml, a_table_with_a_missing_column_is_an_error) {
  expect_error(grid_function("0, 10, 1, 11, 5"), 12, "the table has 5 values, its breakpoints need 3 x 2 = 6", "missing");
  expect_error(grid_function("0, 10, 1, 11, 5, 15, 16"), 12, "the table has 7 values", "too many");
  expect_error(grid_function("0, 10, 1, 1l, 5, 15"), 12, "'1l' is not a number");
  expect_error(grid_function("0 1 2", "", "<bpRef bpID=\"BX\"/>"), 10, "the table has 1 axes, its function (line 9) 2");
  expect_error(grid_function("0 1", "", "<bpRef bpID=\"BX\"/><bpRef bpID=\"BZ\"/>"), 11, "no breakpoints 'BZ'", "BX");
}

TEST(daveml, a_missing_table_is_an_error) {
  const std::string body = input("x") + variable("z") +
                           "<function name=\"f\"><independentVarRef varID=\"x\"/><dependentVarRef varID=\"z\"/><functionDefn>\n<griddedTableRef gtID=\"drag\"/>"
                           "</functionDefn></function>\n";
  expect_error(body, 7, "there is no table 'drag'");
}

TEST(daveml, what_is_not_supported_is_refused) {
  expect_error("<ungriddedTableDef name=\"u\" utID=\"U\"><dataPoint>1 2</dataPoint></ungriddedTableDef>\n", 4, "scattered points", "griddedTableDef");
  expect_error(variable("z", "<isState/>"), 4, "is a state");
  expect_error(grid_function("0 10 1 11 5 15", "interpolate=\"cubicSpline\""), 9, "'cubicSpline' is not supported", "linear");
  expect_error(variable("z", math_of("<piecewise><piece><cn>1</cn><true/></piece></piecewise>")), 4, "without 'otherwise'");
}

TEST(daveml, calculations_in_a_circle_and_double_definitions_are_errors) {
  expect_error(variable("a", math_of("<ci>b</ci>")) + variable("b", math_of("<ci>a</ci>")), 4, "needs itself");
  expect_error(input("x") + input("x"), 5, "two variables 'x'");
  expect_error(kGrid + kGrid, 6, "two sets of breakpoints 'BX'");
  expect_error(input("x") + variable("z", math_of("<ci>x</ci>")) +
                   "<function name=\"f\"><independentVarPts varID=\"x\">0 1</independentVarPts><dependentVarPts varID=\"z\">1 2</dependentVarPts></function>\n",
               6, "'z' is computed twice");
}

TEST(daveml, text_that_is_no_xml_or_no_daveml_is_an_error) {
  const core::Result<DaveModel> broken = parse_daveml("<DAVEfunc>\n<fileHeader>\n</DAVEfunc>\n", "bad.dml");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().line, 3);
  EXPECT_NE(broken.error().message.find("not well-formed"), std::string::npos);
  EXPECT_FALSE(parse_daveml("", "bad.dml"));
  EXPECT_FALSE(parse_daveml("<html/>", "bad.dml"));
  EXPECT_FALSE(load_daveml("/no/such/file.dml"));
}

// a valid file with bytes changed, removed or doubled: an error or a model, never anything else
TEST(daveml, damaged_files_are_read_or_refused) {
  const std::string whole = file_with(grid_function("0 10 1 11 5 15") + variable("w", math_of(applied("power", "<ci>z</ci><cn>2</cn>")), "maxValue=\"9\""));
  std::mt19937 random(7);
  int good = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text = whole;
    for (int k = 0; k < 1 + round % 3; ++k) {
      const std::size_t at = random() % text.size();
      if (random() % 3 == 0)
        text[at] = static_cast<char>(random());
      else if (random() % 2 == 0)
        text.erase(at, random() % 20);
      else
        text.insert(at, text.substr(random() % text.size(), random() % 30));
    }
    const core::Result<DaveModel> dave = parse_daveml(text, "damaged.dml");
    if (!dave) {
      ASSERT_FALSE(dave.error().message.empty());
      continue;
    }
    std::vector<double> slots = dave.value().model.calculation.initial;
    math::evaluate<double>(dave.value().model.calculation, slots);
    ++good;
  }
  EXPECT_GT(good, 0);
}

std::string shot(const std::string& x, const std::string& z, const std::string& tolerance) {
  return "<checkData><staticShot name=\"s\"><checkInputs><signal><signalName>x_name</signalName><signalValue>" + x +
         "</signalValue></signal></checkInputs>\n<checkOutputs><signal><varID>z</varID><signalValue>" + z + "</signalValue>" + tolerance +
         "</signal></checkOutputs></staticShot></checkData>\n";
}

TEST(daveml, the_checks_that_a_file_carries_are_run) {
  const std::string body = input("x") + variable("z", math_of(applied("times", "<ci>x</ci><cn>3</cn>")));
  const core::Result<DaveModel> good = parse_daveml(file_with(body + shot("2", "6.0005", "<tol>0.001</tol>")), "small.dml");
  ASSERT_TRUE(good);
  const core::Result<DaveSelfTest> passed = run_self_test(good.value());
  ASSERT_TRUE(passed);
  EXPECT_EQ(passed.value().shots, 1);
  EXPECT_NEAR(passed.value().worst, 0.5, 1e-9);

  const core::Result<DaveModel> bad = parse_daveml(file_with(body + shot("2", "6.1", "<tol>0.001</tol>")), "small.dml");
  ASSERT_TRUE(bad);
  const core::Result<DaveSelfTest> failed = run_self_test(bad.value());
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().line, 7);
  EXPECT_NE(failed.error().message.find("check 's': z is 6, the file says 6.1"), std::string::npos) << failed.error().text();
}

// NASA's own files for the check cases of NASA/TM-2015-218675: 16 + 9 static shots
TEST(daveml, nasas_f16_models_pass_their_own_checks) {
  const char* data = std::getenv("VOLARY_VALIDATION_DATA");
  if (data == nullptr) GTEST_SKIP() << "VOLARY_VALIDATION_DATA does not name the folder of published data";
  const std::filesystem::path models = std::filesystem::path(data) / "nasa_eom_checkcases" / "models" / "F16";
  for (const auto& [file, shots] : {std::pair<const char*, int>{"F16_aero.dml", 16}, {"F16_prop.dml", 9}, {"F16_gnc.dml", 0}}) {
    const core::Result<DaveModel> dave = load_daveml((models / file).string());
    ASSERT_TRUE(dave) << dave.error().text();
    const core::Result<DaveSelfTest> test = run_self_test(dave.value());
    ASSERT_TRUE(test) << test.error().text();
    EXPECT_EQ(test.value().shots, shots);
  }
}

}  // namespace
}  // namespace volary::scenario
